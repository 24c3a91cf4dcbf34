-- Writes one checkpoint for each lane that is still this relay's, and answers which ones were written.
-- Locks: the lanes' lease rows FOR KEY SHARE until commit: a takeover (FOR UPDATE) waits or is waited for, a renewal
-- (no key change) does not. The primary key makes it a compare-and-set: whoever writes n first is right.
-- Indexes: lease_pkey, checkpoint_pkey. Rows: one for each lane.
WITH asked AS (
  SELECT * FROM unnest(?::smallint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::smallint[], ?::smallint[], ?::bigint[])
    AS a (lane, epoch, n, position, snapshot, pin, late)
), fence AS (
  SELECT l.lane
  FROM asked JOIN {schema}.lease AS l ON l.route = ? AND l.lane = asked.lane
  WHERE l.owner = ? AND l.epoch = asked.epoch AND {schema}.incarnation() = ?
  FOR KEY SHARE OF l
), flush AS (
  INSERT INTO {schema}.flush (relay, snapshots) VALUES (?, ?::text[]::pg_snapshot[]) RETURNING id
)
INSERT INTO {schema}.checkpoint (route, lane, n, flush, position, snapshot, pin, late)
SELECT ?, asked.lane, asked.n, flush.id, asked.position, asked.snapshot, asked.pin, asked.late
FROM asked JOIN fence ON fence.lane = asked.lane CROSS JOIN flush
ON CONFLICT DO NOTHING
RETURNING lane
