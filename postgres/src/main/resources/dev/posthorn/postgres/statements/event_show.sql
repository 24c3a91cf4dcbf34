-- One event of the log, without payload and headers.
-- Locks: none. Index: outbox_id. Rows: at most one.
SELECT o.seq, o.domain, o.type, o.key, o.tenant,
       CASE WHEN o.aggregate_type IS NOT NULL THEN concat_ws(' ', o.aggregate_type, o.aggregate_id) END AS aggregate
FROM {schema}.outbox AS o WHERE o.id = ?::uuid
