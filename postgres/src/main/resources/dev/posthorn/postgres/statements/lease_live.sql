-- How many relays are alive, the one that asks included, and how many of them began before it.
-- Locks: none. Index: none needed, a route has few relays. Rows: one.
SELECT 1 + count(r.name) AS relays,
       count(r.name) FILTER (WHERE (r.started_at, r.name) < (coalesce(own.started_at, 'infinity'), me.name)) AS before
FROM (SELECT ?::smallint AS route, ?::text AS name, ? * interval '1 millisecond' AS ttl) AS me
LEFT JOIN {schema}.relay AS own ON own.route = me.route AND own.name = me.name
LEFT JOIN {schema}.relay AS r ON r.route = me.route AND r.name <> me.name AND r.seen_at > clock_timestamp() - me.ttl
