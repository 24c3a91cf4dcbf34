-- Events that failed for good, oldest first; of one route, or of all. Held means that their key waits for them.
-- Locks: none. Indexes: detour_pkey, outbox_id, blocked_key_pkey. Rows: up to the limit.
SELECT r.name AS route, d.event_id, o.domain || '/' || o.type AS kind, d.key, d.attempts, d.changed_at, d.last_error,
       EXISTS (SELECT 1 FROM {schema}.blocked_key AS b
         WHERE b.route = d.route AND b.lane = d.lane AND b.key = d.key AND b.held AND b.head = d.seq) AS held
FROM {schema}.detour AS d
JOIN {schema}.route AS r ON r.id = d.route
LEFT JOIN {schema}.outbox AS o ON o.id = d.event_id
WHERE d.kind = 'FAILED' AND (?::text IS NULL OR r.name = ?) AND (?::uuid IS NULL OR d.event_id = ?::uuid)
ORDER BY d.changed_at, r.name, d.seq
LIMIT ?
