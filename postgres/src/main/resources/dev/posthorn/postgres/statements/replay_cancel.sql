-- See the function cancel_replay.
-- Locks: the replay, for a moment. Index: replay_pkey. Rows: one.
SELECT {schema}.cancel_replay(?::uuid, ?::text)
