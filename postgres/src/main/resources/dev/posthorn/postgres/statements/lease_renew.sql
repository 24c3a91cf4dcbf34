-- Keeps this relay's report as a sign that it is alive, forgets relays that crashed a day ago, and extends the leases that are
-- still its own. How fast it publishes is what it has published since its last report.
-- Locks: its relay row, those forgotten, and its lease rows (no key change, so no flush waits). Index: relay_pkey for its own
-- row; none needed for leases, of which a route has one for each lane. Rows: one for each lease kept, and one more with the counts, the incarnation and
-- whether the route publishes.
WITH alive AS (
  INSERT INTO {schema}.relay AS r (route, name, published, obstacle, outage) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (route, name) DO UPDATE
  SET seen_at = clock_timestamp(), published = excluded.published, obstacle = excluded.obstacle, outage = excluded.outage,
      published_per_second = greatest(excluded.published - r.published, 0)
        / greatest(extract(epoch FROM clock_timestamp() - r.seen_at), 0.001)::double precision
), forgotten AS (
  DELETE FROM {schema}.relay AS r
  WHERE r.route = ? AND r.name <> ? AND r.seen_at < clock_timestamp() - interval '1 day'
), kept AS (
  UPDATE {schema}.lease AS l
  SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
  FROM unnest(?::smallint[], ?::bigint[]) AS mine (lane, epoch)
  WHERE l.route = ? AND l.lane = mine.lane AND l.owner = ? AND l.epoch = mine.epoch
  RETURNING l.lane, l.epoch
)
SELECT -1::smallint AS lane, crew.others,
       (SELECT count(*) FROM {schema}.lease AS l WHERE l.route = crew.route) AS lanes,
       {schema}.incarnation() AS incarnation, crew.before,
       coalesce((SELECT CASE WHEN r.retired_at IS NOT NULL THEN 'RETIRED' WHEN r.paused_at IS NOT NULL THEN 'PAUSED' ELSE 'OPEN' END
        FROM {schema}.route AS r WHERE r.id = crew.route), 'OPEN') AS mode
FROM (
  SELECT me.route, count(r.name) AS others,
         count(r.name) FILTER (WHERE (r.started_at, r.name) < (coalesce(own.started_at, 'infinity'), me.name)) AS before
  FROM (SELECT ?::smallint AS route, ?::text AS name, ? * interval '1 millisecond' AS ttl) AS me
  LEFT JOIN {schema}.relay AS own ON own.route = me.route AND own.name = me.name
  LEFT JOIN {schema}.relay AS r ON r.route = me.route AND r.name <> me.name AND r.seen_at > clock_timestamp() - me.ttl
  GROUP BY me.route
) AS crew
UNION ALL
SELECT kept.lane, kept.epoch, 0, NULL, 0, NULL FROM kept
