-- See the function finish_replay.
-- Locks: the replay, for a moment. Index: replay_pkey. Rows: one.
SELECT {schema}.finish_replay(?::uuid, ?::bigint, ?::text)
