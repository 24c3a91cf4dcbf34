-- What prune would remove of the next rows of a lane.
-- Locks: none. Index: outbox_lane_seq. Rows: one.
SELECT count(*) FILTER (WHERE p.may_go) AS removed, count(*) AS seen, max(p.seq) AS last_seq,
       (date_part('epoch', clock_timestamp() - max(p.created_at)) * 1000)::bigint AS age_ms
FROM {schema}.prunable(?::smallint, ?::bigint, ? * interval '1 millisecond', ?::int) AS p
