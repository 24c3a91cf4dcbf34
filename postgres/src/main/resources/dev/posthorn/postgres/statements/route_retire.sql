-- See the function retire_route.
-- Locks: the route's row. Index: none needed, routes are few. Rows: one.
SELECT {schema}.retire_route(?, ?)
