-- The relays that have reported, what they said last, and the lanes they hold now. One that crashed stays listed and holds none.
-- Locks: none. Index: none, both tables are small. Rows: one for each relay and route, at most 5,000.
SELECT r.name AS route, y.name, y.started_at, y.seen_at, y.published, y.published_per_second, y.obstacle,
       left(y.outage, 1000) AS outage,
       date_part('epoch', clock_timestamp() - y.seen_at) AS silent_seconds,
       (SELECT count(*) FROM {schema}.lease AS l
         WHERE l.route = y.route AND l.owner = y.name AND l.expires_at > clock_timestamp()) AS lanes
FROM {schema}.relay AS y
JOIN {schema}.route AS r ON r.id = y.route
ORDER BY r.name, y.started_at, y.name
LIMIT 5000
