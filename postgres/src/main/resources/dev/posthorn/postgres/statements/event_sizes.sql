-- The sizes of whole events by id, of which a page left something out.
-- Locks: none. Index: outbox_id. Rows: at most one for each id.
SELECT o.id, octet_length(o.payload)::bigint + octet_length(o.domain) + octet_length(o.type) + octet_length(o.content_type)
  + coalesce(octet_length(o.key), 0) + coalesce(octet_length(o.aggregate_type), 0) + coalesce(octet_length(o.aggregate_id), 0)
  + coalesce(octet_length(o.tenant), 0) + coalesce(octet_length(o.correlation_id), 0)
  + coalesce(octet_length(o.causation_id), 0) + coalesce(octet_length(o.traceparent), 0)
  + coalesce(octet_length(o.headers::text), 0) AS size
FROM unnest(?::uuid[]) AS asked (id) CROSS JOIN LATERAL (
  SELECT * FROM {schema}.outbox AS e WHERE e.id = asked.id
) AS o
