-- How many dead letters are open on each route and in each consumer, up to a limit for all routes and one for all consumers; and
-- how many of a route's were given up after more than one attempt.
-- Locks: none. Indexes: an index of detour, an index of dead_letter. Rows: one for each route and consumer that has some.
SELECT 'route' AS station, r.name, d.letters, d.spent
FROM (
  SELECT f.route, count(*) AS letters, count(*) FILTER (WHERE f.attempts > 1) AS spent
  FROM (SELECT d.route, d.attempts FROM {schema}.detour AS d WHERE d.kind = 'FAILED' LIMIT ?) AS f
  GROUP BY f.route
) AS d
JOIN {schema}.route AS r ON r.id = d.route
UNION ALL
SELECT 'consumer', l.consumer, count(*), 0
FROM (SELECT d.consumer FROM {schema}.open_letter AS d LIMIT ?) AS l
GROUP BY l.consumer
