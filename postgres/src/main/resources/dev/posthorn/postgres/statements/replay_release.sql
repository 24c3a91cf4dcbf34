-- See the function release_replay.
-- Locks: the replay, for a moment. Index: replay_pkey. Rows: one.
SELECT {schema}.release_replay(?::uuid, ?::bigint)
