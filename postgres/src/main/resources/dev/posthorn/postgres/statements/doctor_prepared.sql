-- Prepared transactions that nobody has ended.
-- Locks: none. Index: none, there are few. Rows: one for each.
SELECT format('prepared transaction "%s" of %s waits since %s', p.gid, p.owner, p.prepared)
FROM pg_prepared_xacts AS p
WHERE p.database = current_database() AND p.prepared < clock_timestamp() - ? * interval '1 second'
ORDER BY p.prepared
LIMIT 10
