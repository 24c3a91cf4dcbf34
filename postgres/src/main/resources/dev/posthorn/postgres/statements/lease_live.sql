-- How many relays are alive, the one that asks included.
-- Locks: none. Index: relay_pkey. Rows: one.
SELECT 1 + count(*) FROM {schema}.relay AS r
WHERE r.route = ? AND r.name <> ? AND r.seen_at > clock_timestamp() - ? * interval '1 millisecond'
