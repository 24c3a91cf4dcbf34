-- See the function advance_replay.
-- Locks: the replay, for a moment. Index: replay_pkey. Rows: one.
SELECT {schema}.advance_replay(?::uuid, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ? * interval '1 millisecond')
