-- The newest checkpoint of lanes that this relay holds, begun after its takeover committed, and whether their route publishes.
-- is_foreign: the log was restored here, or the cursor or the lane's newest row is of a transaction that this cluster has
-- not had yet.
-- Locks: none. Indexes: lease_pkey, route_pkey, checkpoint_pkey (backwards), flush_pkey, outbox_lane_tx_seq (backwards). Rows: one for each lane.
SELECT asked.lane, newest.n, {schema}.cursor_of(newest, f.snapshots)::text AS cursor, {schema}.incarnation(),
       NOT {schema}.is_home()
         OR pg_snapshot_xmax(coalesce(f.snapshots[newest.pin], f.snapshots[newest.snapshot]))
         > pg_snapshot_xmax({schema}.current_snapshot())
         OR coalesce(last.tx >= pg_snapshot_xmax({schema}.current_snapshot()), false) AS is_foreign,
       CASE WHEN r.retired_at IS NOT NULL THEN 'RETIRED' WHEN r.paused_at IS NOT NULL THEN 'PAUSED' ELSE 'OPEN' END AS mode
FROM unnest(?::smallint[], ?::bigint[]) AS asked (lane, epoch)
JOIN {schema}.lease AS l ON l.route = ? AND l.lane = asked.lane AND l.owner = ? AND l.epoch = asked.epoch
JOIN {schema}.route AS r ON r.id = l.route
CROSS JOIN LATERAL (
  SELECT c.* FROM {schema}.checkpoint AS c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
) AS newest
JOIN {schema}.flush AS f ON f.id = newest.flush
LEFT JOIN LATERAL (
  SELECT o.tx FROM {schema}.outbox AS o WHERE o.lane = asked.lane ORDER BY o.tx DESC, o.seq DESC LIMIT 1
) AS last ON true
