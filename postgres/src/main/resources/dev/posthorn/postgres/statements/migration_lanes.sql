-- The lane count that was fixed when the log was created.
-- Locks: nothing. Index: none. Rows: 1.
SELECT lanes FROM {schema}.log
