-- See the function prune.
-- Locks: the rows it removes. Index: outbox_lane_seq. Rows: one.
SELECT removed, seen, last_seq, (date_part('epoch', clock_timestamp() - last_created_at) * 1000)::bigint AS age_ms
FROM {schema}.prune(?::smallint, ?::bigint, ? * interval '1 millisecond', ?::int)
