-- The keys that wait, longest first.
-- Locks: none. Index: none, only keys that wait have rows. Rows: up to the limit.
SELECT r.name AS route, b.lane, b.key, b.attempts, b.held, b.blocked_at, b.next_attempt,
       left(b.last_error, 1000) AS last_error
FROM {schema}.blocked_key AS b
JOIN {schema}.route AS r ON r.id = b.route
ORDER BY b.blocked_at, r.name, b.key
LIMIT ?
