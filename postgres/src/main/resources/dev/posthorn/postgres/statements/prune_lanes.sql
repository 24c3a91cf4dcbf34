-- Every lane of every route.
-- Locks: none. Index: none needed, a route has a row for each lane. Rows: one for each.
SELECT l.route, l.lane FROM {schema}.lease AS l ORDER BY l.route, l.lane
