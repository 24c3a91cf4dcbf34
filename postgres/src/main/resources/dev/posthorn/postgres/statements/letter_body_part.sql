-- A part of the body of one dead letter of a consumer.
-- Locks: none. Index: dead_letter_pkey. Rows: at most one.
SELECT coalesce(octet_length(l.body), 0) AS size, substring(l.body FROM ? FOR ?) AS part
FROM {schema}.dead_letter AS l WHERE l.id = ?::uuid
