-- Marks an event as handled by a handler, and answers whether it was not before. See the function first_time.
-- Locks: the mark, until the transaction ends; waits for whoever has it. Index: inbox_pkey. Rows: one.
SELECT {schema}.first_time(?, ?, ?, ?)
