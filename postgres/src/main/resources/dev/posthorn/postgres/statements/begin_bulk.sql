-- See the function begin_bulk.
-- Locks: none. Index: none needed. Rows: one.
SELECT {schema}.begin_bulk(?, ?, ?)
