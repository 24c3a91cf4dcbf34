-- Removes keys that have returned to their lane.
-- Locks: the rows removed. Index: blocked_key_pkey. Rows: one for each key.
DELETE FROM {schema}.blocked_key AS b
USING unnest(?::smallint[], ?::text[]) AS done (lane, key)
WHERE b.route = ? AND b.lane = done.lane AND b.key = done.key COLLATE "C"
