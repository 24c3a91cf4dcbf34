-- See the function prune.
-- Locks: the rows it removes. Index: outbox_lane_seq. Rows: one.
SELECT removed, seen, last_seq, last_created_at
FROM {schema}.prune(?::smallint, ?::bigint, ? * interval '1 millisecond', ?::int)
