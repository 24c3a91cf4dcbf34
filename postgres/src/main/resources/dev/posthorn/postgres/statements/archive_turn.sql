-- See the function archive_turn.
-- Locks: the row of archive, for a moment. Index: none needed, it has one row. Rows: one.
SELECT {schema}.archive_turn(?::text, ? * interval '1 millisecond')
