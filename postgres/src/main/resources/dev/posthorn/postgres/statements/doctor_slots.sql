-- Replication slots that nobody reads from, and for which the server keeps its WAL.
-- Locks: none. Index: none, there are few. Rows: one for each.
SELECT format('replication slot "%s" is not read and keeps %s of WAL',
         s.slot_name, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)))
FROM pg_replication_slots AS s
WHERE NOT s.active AND s.restart_lsn IS NOT NULL
ORDER BY s.slot_name
LIMIT 10
