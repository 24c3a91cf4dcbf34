-- The next rows of a lane, and whether each may be archived and removed. See the function archivable.
-- Locks: none. Index: outbox_lane_seq. Rows: at most as many as asked for.
SELECT a.seq, a.id, a.size, (date_part('epoch', clock_timestamp() - a.created_at) * 1000)::bigint AS age_ms, a.may_go
FROM {schema}.archivable(?::smallint, ?::bigint, ? * interval '1 millisecond', ?::int) AS a
