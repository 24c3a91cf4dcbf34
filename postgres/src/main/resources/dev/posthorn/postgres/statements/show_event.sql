-- An event that failed for good, once for each route on which it is dead, with the beginning of its payload.
-- Locks: none. Indexes: outbox_id, an index of detour. Rows: one for each route, up to the limit.
SELECT d.station, d.name, d.handler, d.event_id, d.letter, d.domain, d.type, d.key, d.tenant, d.cause,
  left(d.reason, 4000) AS reason, d.fingerprint, d.remedy, d.attempts, d.at, d.held, 'DEAD' AS state,
  ARRAY['content_type', coalesce(o.content_type, ''), 'occurred_at', coalesce(o.occurred_at::text, '')] AS details,
  ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(coalesce(o.headers, '{}')) AS h) AS headers,
  '{}'::text[] AS metadata, substring(coalesce(o.payload, '') FROM 1 FOR ?) AS body,
  coalesce(octet_length(o.payload), 0) AS body_size
FROM {schema}.dead_on_route AS d
LEFT JOIN {schema}.outbox AS o ON o.id = d.event_id
WHERE d.letter = ?::uuid
ORDER BY d.name
LIMIT ?
