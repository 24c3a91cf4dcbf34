-- See the function start_replay.
-- Locks: the pruner's, until the transaction ends. Index: outbox_lane_seq; counting reads the log whole, or outbox_key_seq.
-- Rows: one.
SELECT {schema}.start_replay(
  target_kind => ?::text, target => ?::text, domains => ?::text[], types => ?::text[], aggregate_types => ?::text[],
  keys => ?::text[], tenants => ?::text[], from_time => ?::timestamptz, to_time => ?::timestamptz, rate => ?::int,
  reason => ?::text, folder => ?::text, volumes => ?::text[], last_seq => ?::bigint, size => ?::bigint,
  counted => ?::boolean)
