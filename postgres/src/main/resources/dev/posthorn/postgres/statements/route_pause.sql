-- See the function pause_route.
-- Locks: the route's row. Index: none needed, routes are few. Rows: one.
SELECT {schema}.pause_route(?, ?)
