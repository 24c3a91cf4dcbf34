-- Every lane of every route: who holds it, how far it is, and what waits. An event waits if its route wants it and it is neither
-- published nor dead nor asked for a later time: its lane has not passed it yet, or it is parked behind a blocked key, or it is
-- tried again. Nothing waits for a retired route. Limits, each for one route: of events that lanes have not passed, of keys, of
-- parked events, of single events off the way. Behind the first one, how far the end of a lane is from its cursor tells about how
-- many there are.
-- Locks: none. Indexes: checkpoint_pkey (backwards), flush_pkey, blocked_key_pkey, detour_due; what waits by outbox_lane_seq; what
-- committed late by outbox_lane_tx_seq, for each transaction that the cursor's snapshot saw open, and for the first that began after
-- it, of which only late ones are read from the table; events of a key by outbox_key_seq.
-- Rows: one for each lane of each route.
WITH stand AS MATERIALIZED (
  SELECT l.route, l.lane, l.epoch, CASE WHEN l.expires_at > clock_timestamp() THEN l.owner END AS owner, f.at AS moved_at,
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
), ahead AS MATERIALIZED (
  SELECT e.route, e.lane, count(*) AS seen, count(*) FILTER (WHERE e.wanted AND e.due) AS waiting,
         count(*) FILTER (WHERE e.wanted AND NOT e.due) AS later, min(e.since) FILTER (WHERE e.wanted AND e.due) AS since
  FROM (
    SELECT r.id AS route, o.lane, {schema}.wants(r, o.domain, o.type, o.tenant) AS wanted,
           coalesce(o.deliver_after <= clock_timestamp(), true) AS due, greatest(o.created_at, o.deliver_after) AS since
    FROM {schema}.route AS r
    CROSS JOIN LATERAL (
      (SELECT o.*
       FROM stand AS s
       CROSS JOIN LATERAL (
         SELECT o.lane, o.domain, o.type, o.tenant, o.created_at, o.deliver_after
         FROM {schema}.outbox AS o
         WHERE o.lane = s.lane AND o.seq > s.position
         ORDER BY o.seq LIMIT ?
       ) AS o
       WHERE s.route = r.id
       LIMIT ?)
      UNION ALL
      (SELECT b.lane, b.domain, b.type, b.tenant, b.created_at, b.deliver_after FROM late AS b WHERE b.route = r.id)
    ) AS o
    WHERE r.retired_at IS NULL
  ) AS e
  GROUP BY e.route, e.lane
), keys AS MATERIALIZED (
  SELECT k.route, k.lane, count(*) AS blocked, count(*) FILTER (WHERE k.held) AS held
  FROM {schema}.route AS r
  CROSS JOIN LATERAL (
    SELECT b.route, b.lane, b.held FROM {schema}.blocked_key AS b WHERE b.route = r.id LIMIT ?
  ) AS k
  WHERE r.retired_at IS NULL
  GROUP BY k.route, k.lane
), parked AS MATERIALIZED (
  SELECT p.route, p.lane, count(*) AS events, min(p.created_at) AS since
  FROM {schema}.route AS r
  CROSS JOIN LATERAL (
    SELECT b.route, b.lane, o.created_at
    FROM (SELECT b.* FROM {schema}.blocked_key AS b WHERE b.route = r.id LIMIT 1000) AS b
    JOIN stand AS s ON s.route = b.route AND s.lane = b.lane
    CROSS JOIN LATERAL (
      (SELECT o.created_at
       FROM {schema}.outbox AS o
       WHERE o.key = b.key AND o.seq > greatest(b.passed, (b."from").position) AND o.deliver_after IS NULL
         AND {schema}.wants(r, o.domain, o.type, o.tenant) AND {schema}.covers(s.place, o.tx, o.seq)
       ORDER BY o.seq LIMIT ?)
      UNION ALL
      (SELECT found.created_at
       FROM pg_snapshot_xip((b."from").snapshot) AS open (tx)
       CROSS JOIN LATERAL (
         SELECT o.created_at
         FROM {schema}.outbox AS o
         WHERE o.lane = b.lane AND o.tx >= open.tx AND o.tx <= open.tx AND o.seq <= (b."from").position
           AND o.key IS NOT DISTINCT FROM b.key AND o.deliver_after IS NULL
           AND {schema}.wants(r, o.domain, o.type, o.tenant)
           AND {schema}.covers(s.place, o.tx, o.seq) AND NOT {schema}.covers(b."from", o.tx, o.seq)
           AND NOT (o.seq <= b.passed AND {schema}.covers(b."to", o.tx, o.seq))
         ORDER BY o.tx, o.seq LIMIT ?
       ) AS found)
    ) AS o
    LIMIT ?
  ) AS p
  WHERE r.retired_at IS NULL
  GROUP BY p.route, p.lane
), single AS MATERIALIZED (
  SELECT d.route, d.lane, count(*) AS seen, count(*) FILTER (WHERE d.kind <> 'SCHEDULED') AS again
  FROM {schema}.route AS r
  CROSS JOIN LATERAL (
    SELECT d.route, d.lane, d.kind FROM {schema}.detour AS d WHERE d.route = r.id AND d.due IS NOT NULL LIMIT ?
  ) AS d
  WHERE r.retired_at IS NULL
  GROUP BY d.route, d.lane
)
SELECT r.name AS route, r.paused_at IS NOT NULL AS paused, r.retired_at IS NOT NULL AS retired,
       s.lane, s.epoch, s.owner, s.moved_at, last.seq - s.position AS distance,
       coalesce(a.seen, 0) AS seen, coalesce(a.waiting, 0) AS waiting, coalesce(a.later, 0) AS later,
       coalesce(p.events, 0) AS parked, coalesce(d.seen, 0) AS single, coalesce(d.again, 0) AS again,
       coalesce(k.blocked, 0) AS blocked, coalesce(k.held, 0) AS held,
       a.since, first.created_at AS first_since, p.since AS parked_since, clock_timestamp() AS now
FROM {schema}.route AS r
JOIN stand AS s ON s.route = r.id
LEFT JOIN ahead AS a ON a.route = s.route AND a.lane = s.lane
LEFT JOIN keys AS k ON k.route = s.route AND k.lane = s.lane
LEFT JOIN parked AS p ON p.route = s.route AND p.lane = s.lane
LEFT JOIN single AS d ON d.route = s.route AND d.lane = s.lane
LEFT JOIN LATERAL (
  SELECT o.created_at FROM {schema}.outbox AS o WHERE o.lane = s.lane AND o.seq > s.position ORDER BY o.seq LIMIT 1
) AS first ON true
LEFT JOIN LATERAL (
  SELECT o.seq FROM {schema}.outbox AS o WHERE o.lane = s.lane ORDER BY o.seq DESC LIMIT 1
) AS last ON true
ORDER BY r.name, s.lane
