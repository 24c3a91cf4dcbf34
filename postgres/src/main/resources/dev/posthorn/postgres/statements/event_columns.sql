-- The columns of an event, shared by every statement that reads one; "o" is the outbox row.
-- Times as microseconds, because that is one number; payloads above {inline} bytes are left out, to bound a page's memory.
-- date_part is a double and three times as fast as extract, which is a numeric; but it is exact only near our own time.
-- A delay ends at a hundred years: more nanoseconds than three times that are more than a long can hold.
o.seq, o.id, o.domain, o.type, o.key, o.sequence,
o.aggregate_type, o.aggregate_id, o.tenant, o.correlation_id, o.causation_id, o.traceparent,
CASE WHEN o.headers IS NOT NULL
  THEN ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(o.headers) AS h) END AS headers,
o.content_type,
CASE WHEN o.occurred_at > '1900-01-01Z' AND o.occurred_at < '2100-01-01Z'
  THEN (date_part('epoch', o.occurred_at) * 1000000)::bigint
  ELSE (extract(epoch FROM o.occurred_at) * 1000000)::bigint END AS occurred_us,
CASE WHEN o.deliver_after IS NOT NULL
  THEN (extract(epoch FROM o.deliver_after) * 1000000)::bigint END AS deliver_after_us,
CASE WHEN o.deliver_after IS NOT NULL
  THEN greatest(0, least(
    date_part('epoch', o.deliver_after) - date_part('epoch', clock_timestamp()), 3155760000) * 1000000)::bigint
  END AS delay_us,
octet_length(o.payload) AS size,
CASE WHEN octet_length(o.payload) <= {inline} THEN o.payload END AS payload
