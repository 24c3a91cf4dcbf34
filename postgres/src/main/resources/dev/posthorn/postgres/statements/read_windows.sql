-- Reads what remains of blocked keys: the rows of each key between two cursors, after the last one passed, by seq.
-- Events with a deliver-after time are left out: they became detours when the lane passed them.
-- Locks: none.
-- Indexes: rows beyond the first cursor's position outbox_key_seq; rows that were late for it outbox_lane_tx_seq.
-- "IS NOT DISTINCT FROM" on purpose: with "=" the late rows would be sought in all that the key ever had.
-- Rows: up to row_limit for each key.
WITH asked AS (
  SELECT a.lane, a.i, a.key, a."from"::{schema}.log_cursor AS "from", a."to"::{schema}.log_cursor AS "to",
         a.passed, a.row_limit, a.late_floor::xid8 AS late_floor,
         pg_snapshot_xmax(coalesce((a."to"::{schema}.log_cursor).pin, (a."to"::{schema}.log_cursor).snapshot)) AS ceiling
  FROM unnest(?::smallint[], ?::smallint[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::int[], ?::text[])
    AS a (lane, i, key, "from", "to", passed, row_limit, late_floor)
), old AS (
  SELECT x.i, x.tx::xid8 AS tx FROM unnest(?::smallint[], ?::text[]) AS x (i, tx)
)
SELECT -1::smallint AS i, false AS is_late,
  {no_event}
UNION ALL
SELECT asked.i, false, rest.*
FROM asked CROSS JOIN LATERAL (
  SELECT * FROM (
    (SELECT {event}
     FROM {schema}.outbox AS o
     WHERE o.key = asked.key COLLATE "C" AND o.seq > greatest(asked.passed, (asked."from").position)
       AND o.seq <= (asked."to").position AND o.deliver_after IS NULL AND {wanted}
       AND {schema}.covers(asked."to", o.tx, o.seq)
     ORDER BY o.seq
     LIMIT asked.row_limit)
    UNION ALL
    (SELECT {event}
     FROM {schema}.outbox AS o
     WHERE o.lane = asked.lane AND o.tx >= asked.late_floor AND o.tx < asked.ceiling
       AND o.seq <= (asked."from").position AND o.seq > asked.passed
       AND o.key IS NOT DISTINCT FROM asked.key COLLATE "C" AND o.deliver_after IS NULL AND {wanted}
       AND {schema}.covers(asked."to", o.tx, o.seq) AND NOT {schema}.covers(asked."from", o.tx, o.seq)
     ORDER BY o.tx, o.seq)
    UNION ALL
    (SELECT late.*
     FROM old CROSS JOIN LATERAL (
       SELECT {event}
       FROM {schema}.outbox AS o
       WHERE o.lane = asked.lane AND o.tx >= old.tx AND o.tx <= old.tx AND o.seq <= (asked."from").position
         AND o.seq > asked.passed AND o.key IS NOT DISTINCT FROM asked.key COLLATE "C" AND o.deliver_after IS NULL AND {wanted}
         AND {schema}.covers(asked."to", o.tx, o.seq) AND NOT {schema}.covers(asked."from", o.tx, o.seq)
       ORDER BY o.tx, o.seq
       LIMIT asked.row_limit) AS late
     WHERE old.i = asked.i)
  ) AS found
  ORDER BY found.seq
  LIMIT asked.row_limit
) AS rest
