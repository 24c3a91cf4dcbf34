-- All of one event but its payload.
-- Locks: none. Index: outbox_id. Rows: at most one.
SELECT o.content_type, octet_length(o.payload) AS payload_size, o.occurred_at, o.created_at, o.deliver_after, o.sequence,
       o.correlation_id, o.causation_id, o.traceparent,
       ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(coalesce(o.headers, '{}')) AS h) AS headers
FROM {schema}.outbox AS o WHERE o.id = ?::uuid
