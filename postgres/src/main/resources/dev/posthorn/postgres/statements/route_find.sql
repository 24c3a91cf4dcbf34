-- A route's number by its name.
-- Locks: none. Index: none needed, routes are few. Rows: one at most.
SELECT id FROM {schema}.route WHERE name = ?
