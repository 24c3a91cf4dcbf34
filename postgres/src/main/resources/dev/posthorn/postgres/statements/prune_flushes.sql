-- See the function compact_flushes.
-- Locks: the rows it removes. Index: flush_pkey. Rows: one.
SELECT {schema}.compact_flushes(?::int)
