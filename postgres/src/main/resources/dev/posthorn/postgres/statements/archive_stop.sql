-- See the function stop_archive.
-- Locks: the row of archive, for a moment. Index: none needed, it has one row. Rows: one.
SELECT {schema}.stop_archive(?::text)
