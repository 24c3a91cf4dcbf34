-- How each route that is not retired stands: its lanes, and what waits for them. Rows are looked at up to a limit for all lanes
-- together; behind it, how far the ends of the lanes are from their cursors tells about how many there are.
-- Locks: none. Indexes: checkpoint_pkey (backwards), flush_pkey; what waits by outbox_lane_seq; what committed late by
-- outbox_lane_tx_seq, for each transaction that the cursor's snapshot saw open, and for the first that began after it, of which only
-- late ones are read from the table.
-- Rows: one for each route.
WITH stand AS MATERIALIZED (
  SELECT l.route, l.lane, l.epoch, l.owner IS NOT NULL AND l.expires_at > clock_timestamp() AS held, f.at AS moved_at,
         newest.position, f.snapshots[newest.snapshot] AS snapshot, {schema}.cursor_of(newest, f.snapshots) AS place
  FROM {schema}.lease AS l
  CROSS JOIN LATERAL (
    SELECT c.* FROM {schema}.checkpoint AS c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
  ) AS newest
  JOIN {schema}.flush AS f ON f.id = newest.flush
), late AS MATERIALIZED (
  SELECT s.route, s.lane, o.domain, o.type, o.tenant, o.created_at, o.deliver_after
  FROM stand AS s
  CROSS JOIN LATERAL (
    (SELECT found.*
     FROM pg_snapshot_xip(s.snapshot) AS open (tx)
     CROSS JOIN LATERAL (
       SELECT o.tx, o.seq, o.domain, o.type, o.tenant, o.created_at, o.deliver_after
       FROM {schema}.outbox AS o
       WHERE o.lane = s.lane AND o.tx >= open.tx AND o.tx <= open.tx AND o.seq <= s.position
       ORDER BY o.tx, o.seq LIMIT ?
     ) AS found)
    UNION ALL
    (SELECT o.tx, o.seq, o.domain, o.type, o.tenant, o.created_at, o.deliver_after
     FROM (
       SELECT o.tx, o.seq FROM {schema}.outbox AS o
       WHERE o.lane = s.lane AND o.tx >= pg_snapshot_xmax(s.snapshot)
       ORDER BY o.tx, o.seq LIMIT 1000
     ) AS next
     JOIN {schema}.outbox AS o ON o.lane = s.lane AND o.tx = next.tx AND o.seq = next.seq
     WHERE next.seq <= s.position)
  ) AS o
  WHERE o.seq <= s.position AND NOT {schema}.covers(s.place, o.tx, o.seq)
)
SELECT r.name AS route, r.paused_at IS NOT NULL AS paused, lanes.count AS lanes, lanes.held, lanes.changes,
       fresh.seen + behind.seen AS seen, fresh.wanted + behind.wanted AS wanted, ends.spread,
       extract(epoch FROM clock_timestamp() - least(ends.since, behind.since))::double precision AS lag_seconds,
       extract(epoch FROM clock_timestamp() - ends.still_since)::double precision AS still_seconds
FROM {schema}.route AS r
CROSS JOIN LATERAL (
  SELECT count(*) AS count, count(*) FILTER (WHERE s.held) AS held, coalesce(sum(s.epoch), 0)::bigint AS changes
  FROM stand AS s WHERE s.route = r.id
) AS lanes
CROSS JOIN LATERAL (
  SELECT count(*) AS seen,
         count(*) FILTER (WHERE {schema}.wants(r, f.domain, f.type, f.tenant)
           AND coalesce(f.deliver_after <= clock_timestamp(), true)) AS wanted
  FROM (
    SELECT o.*
    FROM stand AS s
    CROSS JOIN LATERAL (
      SELECT o.domain, o.type, o.tenant, o.deliver_after
      FROM {schema}.outbox AS o
      WHERE o.lane = s.lane AND o.seq > s.position
      ORDER BY o.seq LIMIT ?
    ) AS o
    WHERE s.route = r.id
    LIMIT ?
  ) AS f
) AS fresh
CROSS JOIN LATERAL (
  SELECT count(*) AS seen, min(b.created_at) AS since,
         count(*) FILTER (WHERE {schema}.wants(r, b.domain, b.type, b.tenant)
           AND coalesce(b.deliver_after <= clock_timestamp(), true)) AS wanted
  FROM late AS b WHERE b.route = r.id
) AS behind
CROSS JOIN LATERAL (
  SELECT min(first.created_at) AS since, min(s.moved_at) FILTER (WHERE first.created_at IS NOT NULL) AS still_since,
         coalesce(sum(last.seq - s.position) FILTER (WHERE last.seq > s.position) / count(*), 0)::bigint AS spread
  FROM stand AS s
  LEFT JOIN LATERAL (
    SELECT o.created_at FROM {schema}.outbox AS o WHERE o.lane = s.lane AND o.seq > s.position ORDER BY o.seq LIMIT 1
  ) AS first ON true
  LEFT JOIN LATERAL (
    SELECT o.seq FROM {schema}.outbox AS o WHERE o.lane = s.lane ORDER BY o.seq DESC LIMIT 1
  ) AS last ON true
  WHERE s.route = r.id
) AS ends
WHERE r.retired_at IS NULL
ORDER BY r.name
