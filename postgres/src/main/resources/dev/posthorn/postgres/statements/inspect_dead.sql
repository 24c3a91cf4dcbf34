-- Events that failed for good, oldest first; of one route, or of all. Held means that their key waits for them.
-- Locks: none. Indexes: an index of detour, outbox_id, blocked_key_pkey. Rows: up to the limit.
SELECT d.name AS route, d.event_id, o.domain || '/' || o.type AS kind, d.key, d.attempts, d.changed_at, left(d.last_error, 1000) AS last_error,
       coalesce((SELECT b.held AND b.head = d.seq FROM {schema}.blocked_key AS b
         WHERE b.route = d.route AND b.lane = d.lane AND b.key = d.key), false) AS held
FROM (
  SELECT d.*, r.name
  FROM {schema}.detour AS d
  JOIN {schema}.route AS r ON r.id = d.route
  WHERE d.kind = 'FAILED' AND (?::text IS NULL OR r.name = ?) AND (?::uuid IS NULL OR d.event_id = ?::uuid)
  ORDER BY d.changed_at, r.name, d.seq
  LIMIT ?
) AS d
LEFT JOIN {schema}.outbox AS o ON o.id = d.event_id
ORDER BY d.changed_at, d.name, d.seq
