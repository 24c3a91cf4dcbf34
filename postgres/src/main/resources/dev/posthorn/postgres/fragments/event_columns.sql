-- The columns of an event, shared by every statement that reads one; "o" is the outbox row.
-- Payloads above {inline} bytes are left out, to bound a page's memory.
-- Times go out as the eight bytes they are: as numbers they cost the server as much as the rest of the row, and as
-- timestamps the driver takes longer for them than for any other column.
-- Headers go out as they are: to take them apart here costs more than the rest of the row.
-- The size is of use where the payload is left out, the stamp where it is there: one column for both, since every column that
-- goes out costs as much as a look at the event.
-- A delay ends at a hundred years: more nanoseconds than three times that are more than a long can hold.
o.seq, o.id, o.domain, o.type, o.key, o.sequence,
o.aggregate_type, o.aggregate_id, o.tenant, o.correlation_id, o.causation_id, o.traceparent,
o.headers,
o.content_type,
timestamptz_send(o.occurred_at) AS occurred_at,
timestamptz_send(o.deliver_after) AS deliver_after,
CASE WHEN o.deliver_after IS NOT NULL
  THEN greatest(0, least(
    date_part('epoch', o.deliver_after) - date_part('epoch', clock_timestamp()), 3155760000) * 1000000)::bigint
  END AS delay_us,
CASE WHEN o.stamp IS NULL OR octet_length(o.payload) > {inline} THEN octet_length(o.payload) ELSE o.stamp END AS size_or_stamp,
CASE WHEN octet_length(o.payload) <= {inline} THEN o.payload END AS payload
