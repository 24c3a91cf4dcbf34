-- See the function claim_replay.
-- Locks: the replay, for a moment. Index: replay_open. Rows: at most one.
SELECT r.* FROM {schema}.claim_replay(?::text, ?::text, ?::text, ? * interval '1 millisecond') AS r
