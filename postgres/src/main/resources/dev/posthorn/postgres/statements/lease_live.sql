-- How many relays are alive, the one that asks included.
-- Locks: none. Index: none needed, a route has few relays. Rows: one.
SELECT 1 + count(*) FROM {schema}.relay AS r
WHERE r.route = ? AND r.name <> ? AND r.seen_at > clock_timestamp() - ? * interval '1 millisecond'
