-- The columns of an event, shared by every statement that reads one; "o" is the outbox row.
-- Payloads above {inline} bytes are left out, to bound a page's memory. So are headers above {headers} bytes and those that are
-- compressed, whose size takes as long to know as to read them; a JSON text stands for them. Of a text that is too long there
-- comes the beginning, which is too long as well. A tenant and what a route filters by come whole if they keep the limits.
-- Times go out as the eight bytes they are: as numbers they cost the server as much as the rest of the row, and as
-- timestamps the driver takes longer for them than for any other column.
-- Other headers go out as they are: to take them apart here costs more than the rest of the row.
-- The size is of use where the payload is left out, the stamp where it is there: one column for both, since every column that
-- goes out costs as much as a look at the event.
-- A delay ends at a hundred years: more nanoseconds than three times that are more than a long can hold.
o.seq, o.id,
CASE WHEN octet_length(o.domain) > {name} THEN left(o.domain, {name} + 1) ELSE o.domain END AS domain,
CASE WHEN octet_length(o.type) > {name} THEN left(o.type, {name} + 1) ELSE o.type END AS type,
o.key, o.sequence,
CASE WHEN octet_length(o.aggregate_type) > {text} THEN left(o.aggregate_type, {text} + 1) ELSE o.aggregate_type END AS aggregate_type,
CASE WHEN octet_length(o.aggregate_id) > {text} THEN left(o.aggregate_id, {text} + 1) ELSE o.aggregate_id END AS aggregate_id,
CASE WHEN octet_length(o.tenant) > {tenant} THEN left(o.tenant, {tenant} + 1) ELSE o.tenant END AS tenant,
CASE WHEN octet_length(o.correlation_id) > {text} THEN left(o.correlation_id, {text} + 1) ELSE o.correlation_id END AS correlation_id,
CASE WHEN octet_length(o.causation_id) > {text} THEN left(o.causation_id, {text} + 1) ELSE o.causation_id END AS causation_id,
CASE WHEN octet_length(o.traceparent) > {text} THEN left(o.traceparent, {text} + 1) ELSE o.traceparent END AS traceparent,
CASE WHEN pg_column_size(o.headers) > {headers} OR ({cuts} AND pg_column_compression(o.headers) IS NOT NULL)
  THEN '"cut"'::jsonb ELSE o.headers END AS headers,
CASE WHEN octet_length(o.content_type) > {text} THEN left(o.content_type, {text} + 1) ELSE o.content_type END AS content_type,
timestamptz_send(o.occurred_at) AS occurred_at,
timestamptz_send(o.deliver_after) AS deliver_after,
CASE WHEN o.deliver_after IS NOT NULL
  THEN greatest(0, least(
    date_part('epoch', o.deliver_after) - date_part('epoch', clock_timestamp()), 3155760000) * 1000000)::bigint
  END AS delay_us,
CASE WHEN o.stamp IS NULL OR octet_length(o.payload) > {inline} THEN octet_length(o.payload) ELSE o.stamp END AS size_or_stamp,
CASE WHEN octet_length(o.payload) <= {inline} THEN o.payload END AS payload
