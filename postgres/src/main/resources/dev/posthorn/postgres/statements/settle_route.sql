-- See the function settle_route.
-- Locks: the route's row, if it is settled now. Index: none needed, routes are few. Rows: one.
SELECT {schema}.settle_route(?, ?)
