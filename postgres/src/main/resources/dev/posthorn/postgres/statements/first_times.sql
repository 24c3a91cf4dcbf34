-- Marks events as handled by a handler, and answers which were not before. See the function first_times.
-- Locks: the marks, until the transaction ends; waits for those who have them. Index: inbox_pkey. Rows: one for each new event.
SELECT {schema}.first_times(?, ?, ?::uuid[], ?)
