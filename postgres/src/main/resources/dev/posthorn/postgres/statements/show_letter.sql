-- Dead letters of consumers with the beginning of their bodies, by their own id or their event's, whatever became of them.
-- Locks: none. Indexes: dead_letter_pkey, dead_letter_event. Rows: one for each handler that gave the event up, up to the
-- limit.
SELECT 'consumer' AS station, l.consumer AS name, l.handler, l.event_id, l.id AS letter, l.domain, l.type, l.key, l.tenant,
  l.cause, left(l.reason, 4000) AS reason, l.fingerprint, l.remedy, l.attempts, l.occurred_at AS at, false AS held, l.state,
  ARRAY(SELECT unnest(ARRAY[left(h.key, 1000), left(h.value, 4000)]) FROM jsonb_each_text(l.details) AS h LIMIT 200) AS details,
  ARRAY(SELECT unnest(ARRAY[left(h.key, 1000), left(h.value, 4000)]) FROM jsonb_each_text(l.headers) AS h LIMIT 200) AS headers,
  ARRAY(SELECT unnest(ARRAY[left(h.key, 1000), left(h.value, 4000)]) FROM jsonb_each_text(l.metadata) AS h LIMIT 200) AS metadata,
  substring(l.body FROM 1 FOR ?) AS body, coalesce(octet_length(l.body), 0) AS body_size
FROM (
  SELECT * FROM {schema}.dead_letter AS one WHERE one.id = ?::uuid
  UNION
  SELECT * FROM {schema}.dead_letter AS of_event WHERE of_event.event_id = ?::uuid
) AS l
ORDER BY l.seq
LIMIT ?
