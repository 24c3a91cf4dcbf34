-- A route's number by its name.
-- Locks: none. Index: route_name_key. Rows: one at most.
SELECT id FROM {schema}.route WHERE name = ?
