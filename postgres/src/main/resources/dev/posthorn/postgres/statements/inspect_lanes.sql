-- Every lane of every route: who holds it, how far it is, and how much waits. What waits is counted up to a limit.
-- Locks: none. Indexes: lease_pkey, checkpoint_pkey (backwards), flush_pkey; what waits by outbox_lane_seq,
-- and, as it may have committed late, by outbox_lane_tx_seq. Rows: one for each lane of each route.
SELECT r.name AS route, l.lane, l.epoch,
       CASE WHEN l.expires_at > clock_timestamp() THEN l.owner END AS owner,
       f.at AS moved_at, waiting.events, waiting.since
FROM {schema}.route AS r
JOIN {schema}.lease AS l ON l.route = r.id
CROSS JOIN LATERAL (
  SELECT c.* FROM {schema}.checkpoint AS c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
) AS newest
JOIN {schema}.flush AS f ON f.id = newest.flush
CROSS JOIN LATERAL (
  SELECT count(*) AS events, min(found.created_at) AS since
  FROM (
    (SELECT o.created_at FROM {schema}.outbox AS o
      WHERE o.lane = l.lane AND o.seq > newest.position
      ORDER BY o.seq LIMIT ?)
    UNION ALL
    (SELECT o.created_at FROM {schema}.outbox AS o
      WHERE o.lane = l.lane AND o.tx >= pg_snapshot_xmin(f.snapshots[newest.snapshot]) AND o.seq <= newest.position
        AND NOT {schema}.covers({schema}.cursor_of(newest, f.snapshots), o.tx, o.seq)
      ORDER BY o.tx, o.seq LIMIT ?)
  ) AS found
) AS waiting
ORDER BY r.name, l.lane
