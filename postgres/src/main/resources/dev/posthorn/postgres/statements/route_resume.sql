-- See the function resume_route.
-- Locks: the route's row. Index: none needed, routes are few. Rows: one.
SELECT {schema}.resume_route(?, ?)
