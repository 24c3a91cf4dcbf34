-- See the function redirect_route.
-- Locks: the route's row. Index: none needed, routes are few. Rows: one.
SELECT {schema}.redirect_route(?, ?, ?)
