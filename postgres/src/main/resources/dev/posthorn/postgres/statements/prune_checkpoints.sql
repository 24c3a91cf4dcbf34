-- See the function compact.
-- Locks: the rows it removes. Index: checkpoint_pkey. Rows: one.
SELECT {schema}.compact(?::smallint, ?::smallint, ? * interval '1 millisecond', ?::int)
