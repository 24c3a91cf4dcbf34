-- See the function prune_archived.
-- Locks: the rows it removes. Index: outbox_lane_seq. Rows: one.
SELECT {schema}.prune_archived(
  ?::smallint, ?::bigint, ?::bigint, ? * interval '1 millisecond', ?::bigint[], ?::uuid[])
