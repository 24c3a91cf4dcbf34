-- See the function settle_route. Where nothing can be written, on a standby, the route's destination is only read.
-- Locks: the route's row, if it is settled now. Index: none needed, routes are few. Rows: one.
SELECT CASE
  WHEN current_setting('transaction_read_only')::boolean
  THEN (SELECT r.destination FROM {schema}.route AS r WHERE r.name = p.route)
  ELSE {schema}.settle_route(p.route, p.place) END
FROM (VALUES (?::text, ?::text)) AS p(route, place)
