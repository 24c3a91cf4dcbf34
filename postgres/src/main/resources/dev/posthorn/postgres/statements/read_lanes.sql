-- Reads the unread rows of all lanes a relay holds, of one snapshot: first that snapshot, then fresh rows, then late ones.
-- Locks: none. Runs with index scans only and without JIT, see Connections.
-- Indexes: fresh rows outbox_lane_seq; late rows outbox_lane_tx_seq, as one range of the newest transactions and, for
-- those open for longer, one by one. "tx >= x AND tx <= x" on purpose: "=" invites other plans.
-- Rows: up to fresh_limit + late_limit + 1 for each lane.
WITH asked AS (
  SELECT a.lane, a.position, a.snapshot::pg_snapshot AS snapshot, a.late_floor::xid8 AS late_floor,
         a.fresh_limit, a.late_limit
  FROM unnest(?::smallint[], ?::bigint[], ?::text[], ?::text[], ?::int[], ?::int[])
    AS a (lane, position, snapshot, late_floor, fresh_limit, late_limit)
), old AS (
  SELECT x.lane, x.position, x.late_limit, x.tx::xid8 AS tx
  FROM unnest(?::smallint[], ?::bigint[], ?::int[], ?::text[]) AS x (lane, position, late_limit, tx)
)
SELECT -1::smallint AS lane, false AS is_late,
  {no_event}
UNION ALL
SELECT asked.lane, false, fresh.*
FROM asked CROSS JOIN LATERAL (
  {fresh}
) AS fresh
UNION ALL
SELECT asked.lane, true, late.*
FROM asked CROSS JOIN LATERAL (
  SELECT {event}
  FROM {schema}.outbox AS o
  WHERE o.lane = asked.lane AND o.tx >= asked.late_floor AND o.seq <= asked.position
    AND NOT pg_visible_in_snapshot(o.tx, asked.snapshot)
  ORDER BY o.tx, o.seq
  LIMIT asked.late_limit + 1
) AS late
UNION ALL
SELECT old.lane, true, late.*
FROM old CROSS JOIN LATERAL (
  SELECT {event}
  FROM {schema}.outbox AS o
  WHERE o.lane = old.lane AND o.tx >= old.tx AND o.tx <= old.tx AND o.seq <= old.position
  ORDER BY o.tx, o.seq
  LIMIT old.late_limit + 1
) AS late
