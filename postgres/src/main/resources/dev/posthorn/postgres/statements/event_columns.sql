-- The columns of an event, shared by every statement that reads one; "o" is the outbox row.
-- Times as microseconds, because that is one number; payloads above {inline} bytes are left out, to bound a page's memory.
o.seq, o.id, o.domain, o.type, o.key, o.sequence,
o.aggregate_type, o.aggregate_id, o.tenant, o.correlation_id, o.causation_id, o.traceparent,
CASE WHEN o.headers IS NOT NULL
  THEN ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(o.headers) AS h) END AS headers,
o.content_type,
(date_part('epoch', o.occurred_at) * 1000000)::bigint AS occurred_us,
CASE WHEN o.deliver_after IS NOT NULL
  THEN (date_part('epoch', o.deliver_after) * 1000000)::bigint END AS deliver_after_us,
CASE WHEN o.deliver_after IS NOT NULL
  THEN greatest(0, (date_part('epoch', o.deliver_after) - date_part('epoch', clock_timestamp())) * 1000000)::bigint
  END AS delay_us,
octet_length(o.payload) AS size,
CASE WHEN octet_length(o.payload) <= {inline} THEN o.payload END AS payload
