-- A part of the payload of one event.
-- Locks: none. Index: outbox_id. Rows: at most one.
SELECT octet_length(o.payload) AS size, substring(o.payload FROM ? FOR ?) AS part FROM {schema}.outbox AS o WHERE o.id = ?::uuid
