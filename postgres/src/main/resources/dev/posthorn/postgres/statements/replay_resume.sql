-- See the function resume_replay.
-- Locks: the replay, for a moment. Index: replay_pkey. Rows: one.
SELECT {schema}.resume_replay(?::uuid, ?::text)
