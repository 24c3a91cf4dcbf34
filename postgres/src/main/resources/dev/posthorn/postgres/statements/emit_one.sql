-- Writes one event.
-- Locks: nothing but its own row; a transaction in flight with the same id is waited for.
-- Index: outbox_id finds a duplicate. Rows: 1.
INSERT INTO {schema}.outbox (
  id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
  headers, content_type, payload, occurred_at, deliver_after, stamp)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?)
