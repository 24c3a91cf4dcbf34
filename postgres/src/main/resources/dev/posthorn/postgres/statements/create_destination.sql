-- See the function create_destination.
-- Locks: rows of missing destinations of that name. Index: none needed, destinations are few. Rows: one.
SELECT {schema}.create_destination(?, ?)
