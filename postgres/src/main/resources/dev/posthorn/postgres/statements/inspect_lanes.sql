-- Every lane of every route: who holds it, how far it is, and how much waits. What waits is counted up to a limit, and what
-- committed late is looked at up to the same.
-- Locks: none. Indexes: lease_pkey, checkpoint_pkey (backwards), flush_pkey; what waits by outbox_lane_seq alone, and the first
-- of it in its row; what committed late by outbox_lane_tx_seq, for each transaction that the cursor's snapshot saw open, and for
-- the first that began after it. Rows: one for each lane of each route.
SELECT r.name AS route, l.lane, l.epoch,
       CASE WHEN l.expires_at > clock_timestamp() THEN l.owner END AS owner,
       f.at AS moved_at, fresh.events + late.events AS events, least(first.created_at, late.since) AS since
FROM {schema}.route AS r
JOIN {schema}.lease AS l ON l.route = r.id
CROSS JOIN LATERAL (
  SELECT c.* FROM {schema}.checkpoint AS c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
) AS newest
JOIN {schema}.flush AS f ON f.id = newest.flush
CROSS JOIN LATERAL (
  SELECT count(*) AS events
  FROM (
    SELECT o.seq FROM {schema}.outbox AS o WHERE o.lane = l.lane AND o.seq > newest.position ORDER BY o.seq LIMIT ?
  ) AS o
) AS fresh
LEFT JOIN LATERAL (
  SELECT o.created_at FROM {schema}.outbox AS o WHERE o.lane = l.lane AND o.seq > newest.position ORDER BY o.seq LIMIT 1
) AS first ON true
CROSS JOIN LATERAL (
  SELECT count(*) AS events, min(o.created_at) AS since
  FROM (
    (SELECT found.*
     FROM pg_snapshot_xip(f.snapshots[newest.snapshot]) AS open (tx)
     CROSS JOIN LATERAL (
       SELECT o.tx, o.seq, o.created_at
       FROM {schema}.outbox AS o
       WHERE o.lane = l.lane AND o.tx >= open.tx AND o.tx <= open.tx AND o.seq <= newest.position
       ORDER BY o.tx, o.seq LIMIT ?
     ) AS found)
    UNION ALL
    (SELECT o.tx, o.seq, o.created_at
     FROM (
       SELECT o.tx, o.seq FROM {schema}.outbox AS o
       WHERE o.lane = l.lane AND o.tx >= pg_snapshot_xmax(f.snapshots[newest.snapshot])
       ORDER BY o.tx, o.seq LIMIT ?
     ) AS next
     JOIN {schema}.outbox AS o ON o.lane = l.lane AND o.tx = next.tx AND o.seq = next.seq
     WHERE next.seq <= newest.position)
  ) AS o
  WHERE o.seq <= newest.position AND NOT {schema}.covers({schema}.cursor_of(newest, f.snapshots), o.tx, o.seq)
) AS late
ORDER BY r.name, l.lane
