-- Dead letters of consumers as a whole, by their own id or their event's, whatever became of them.
-- Locks: none. Indexes: dead_letter_pkey, dead_letter_event. Rows: one for each handler that gave the event up.
SELECT 'consumer' AS station, l.consumer AS name, l.handler, l.event_id, l.id AS letter, l.domain, l.type, l.key, l.tenant,
  l.cause, l.reason, l.fingerprint, l.remedy, l.attempts, l.occurred_at AS at, false AS held, l.state,
  ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(l.details) AS h) AS details,
  ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(l.headers) AS h) AS headers,
  ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(l.metadata) AS h) AS metadata, l.body
FROM (
  SELECT * FROM {schema}.dead_letter AS one WHERE one.id = ?::uuid
  UNION
  SELECT * FROM {schema}.dead_letter AS of_event WHERE of_event.event_id = ?::uuid
) AS l
ORDER BY l.seq
