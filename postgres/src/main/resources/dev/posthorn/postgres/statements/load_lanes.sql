-- The newest checkpoint of lanes that this relay holds, begun after its takeover committed.
-- Locks: none. Indexes: lease_pkey, checkpoint_pkey (backwards), flush_pkey. Rows: one for each lane.
SELECT asked.lane, newest.n, {schema}.cursor_of(newest, f.snapshots)::text AS cursor, {schema}.incarnation(),
       pg_snapshot_xmax(coalesce(f.snapshots[newest.pin], f.snapshots[newest.snapshot]))
         > pg_snapshot_xmax(pg_current_snapshot()) AS is_foreign
FROM unnest(?::smallint[], ?::bigint[]) AS asked (lane, epoch)
JOIN {schema}.lease AS l ON l.route = ? AND l.lane = asked.lane AND l.owner = ? AND l.epoch = asked.epoch
CROSS JOIN LATERAL (
  SELECT c.* FROM {schema}.checkpoint AS c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
) AS newest
JOIN {schema}.flush AS f ON f.id = newest.flush
