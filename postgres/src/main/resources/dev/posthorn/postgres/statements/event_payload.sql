-- The payload of one event, up to a length.
-- Locks: none. Index: outbox_id. Rows: at most one.
SELECT o.content_type, octet_length(o.payload) AS payload_size, substring(o.payload FROM 1 FOR ?) AS beginning
FROM {schema}.outbox AS o WHERE o.id = ?::uuid
