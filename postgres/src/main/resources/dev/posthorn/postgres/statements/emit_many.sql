-- Writes any number of events in the order of the arrays: one text, so one plan, whatever their number.
-- Locks: nothing but its own rows; a transaction in flight with one of the ids is waited for.
-- Index: outbox_id finds a duplicate. Rows: as many as the arrays are long.
INSERT INTO {schema}.outbox (
  id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
  headers, content_type, payload, occurred_at, deliver_after, stamp)
SELECT e.id, e.domain, e.type, e.key, e.sequence, e.aggregate_type, e.aggregate_id, e.tenant, e.correlation_id,
  e.causation_id, e.traceparent, e.headers::jsonb, e.content_type, e.payload, e.occurred_at, e.deliver_after, e.stamp
FROM unnest(
  ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
  ?::text[], ?::text[], ?::text[], ?::bytea[], ?::timestamptz[], ?::timestamptz[], ?::bigint[]
) WITH ORDINALITY AS e (
  id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
  headers, content_type, payload, occurred_at, deliver_after, stamp, place)
ORDER BY e.place
