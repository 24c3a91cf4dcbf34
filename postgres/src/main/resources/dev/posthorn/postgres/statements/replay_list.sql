-- Replays, the newest first; or one of them.
-- Locks: none. Index: none needed, operators started each one. Rows: up to the limit.
SELECT r.* FROM {schema}.replay AS r
WHERE ?::uuid IS NULL OR r.id = ?::uuid
ORDER BY r.started_at DESC
LIMIT ?
