-- Pages the late rows of one lane as of a pinned moment: what the pin sees and the snapshot does not, in order of seq.
-- Locks: none. Index: outbox_lane_seq from the last page on; the first page finds its start by outbox_lane_tx_seq.
-- ("ORDER BY tx, seq" below a min is for that: by itself a min reads the lane from its beginning.)
-- Rows: up to late_limit + 1.
WITH asked AS (
  SELECT a.lane, a.position, a.snapshot::pg_snapshot AS snapshot, a.pin::pg_snapshot AS pin, a.late,
         a.late_floor::xid8 AS late_floor, a.late_limit
  FROM (SELECT ?::smallint, ?::bigint, ?::text, ?::text, ?::bigint, ?::text, ?::int)
    AS a (lane, position, snapshot, pin, late, late_floor, late_limit)
), old AS (
  SELECT x.tx::xid8 AS tx FROM unnest(?::text[]) AS x (tx)
), start AS (
  SELECT CASE WHEN asked.late > 0 THEN asked.late ELSE coalesce(least(
    (SELECT min(recent.seq) FROM (
      SELECT o.seq FROM {schema}.outbox AS o
      WHERE o.lane = asked.lane AND o.tx >= asked.late_floor AND o.seq <= asked.position
        AND NOT pg_visible_in_snapshot(o.tx, asked.snapshot) AND pg_visible_in_snapshot(o.tx, asked.pin)
      ORDER BY o.tx, o.seq) AS recent),
    (SELECT min(first.seq) FROM old CROSS JOIN LATERAL (
      SELECT o.seq FROM {schema}.outbox AS o
      WHERE o.lane = asked.lane AND o.tx >= old.tx AND o.tx <= old.tx AND o.seq <= asked.position
      ORDER BY o.tx, o.seq LIMIT 1) AS first)
  ) - 1, asked.position) END AS seq
  FROM asked
)
SELECT -1::smallint AS lane, false AS is_late,
  {no_event}
UNION ALL
SELECT asked.lane, true, late.*
FROM asked CROSS JOIN start CROSS JOIN LATERAL (
  SELECT {event}
  FROM {schema}.outbox AS o
  WHERE o.lane = asked.lane AND o.seq > start.seq AND o.seq <= asked.position
    AND NOT pg_visible_in_snapshot(o.tx, asked.snapshot) AND pg_visible_in_snapshot(o.tx, asked.pin)
  ORDER BY o.seq
  LIMIT asked.late_limit + 1
) AS late
