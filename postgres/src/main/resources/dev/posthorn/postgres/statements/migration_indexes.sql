-- The names of the usable indexes of a schema.
-- Locks: nothing. Index: the catalog's. Rows: one for each index, about sixty.
SELECT c.relname
FROM pg_class c
JOIN pg_index i ON i.indexrelid = c.oid
WHERE c.relnamespace = to_regnamespace(?) AND i.indisvalid
