-- The types that no handler of their consumer wanted, the most frequent first.
-- Locks: none. Index: none, a row for each such type. Rows: at most the limit.
SELECT u.consumer, u.type, u.events, u.first_at, u.last_at
FROM {schema}.unhandled_event AS u
ORDER BY u.events DESC, u.consumer, u.type
LIMIT ?
