-- What of each route that is not retired is off the way and not dead: keys that wait with their events, and single events that
-- are tried again. Up to limits: of keys, and of events.
-- Locks: none. Indexes: checkpoint_pkey (backwards), flush_pkey, blocked_key_pkey, an index of detour; events of a key by
-- outbox_key_seq; those that were late for it by outbox_lane_tx_seq, for each transaction that its cursor saw open.
-- Rows: one for each route.
WITH stand AS MATERIALIZED (
  SELECT l.route, l.lane, {schema}.cursor_of(newest, f.snapshots) AS place
  FROM {schema}.lease AS l
  CROSS JOIN LATERAL (
    SELECT c.* FROM {schema}.checkpoint AS c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
  ) AS newest
  JOIN {schema}.flush AS f ON f.id = newest.flush
)
SELECT r.name AS route, keys.blocked, keys.held, parked.events AS parked, again.events AS again,
       extract(epoch FROM clock_timestamp() - parked.since)::double precision AS parked_seconds
FROM {schema}.route AS r
CROSS JOIN LATERAL (
  SELECT count(*) AS blocked, count(*) FILTER (WHERE k.held) AS held
  FROM (SELECT b.held FROM {schema}.blocked_key AS b WHERE b.route = r.id LIMIT ?) AS k
) AS keys
CROSS JOIN LATERAL (
  SELECT count(*) AS events, min(p.created_at) AS since
  FROM (
    SELECT o.created_at
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
) AS parked
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE d.kind <> 'SCHEDULED') AS events
  FROM (SELECT d.kind FROM {schema}.detour AS d WHERE d.route = r.id AND d.due IS NOT NULL LIMIT ?) AS d
) AS again
WHERE r.retired_at IS NULL
ORDER BY r.name
