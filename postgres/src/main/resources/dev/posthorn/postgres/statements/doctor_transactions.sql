-- Transactions of others that have been open for long: vacuum can remove nothing that is newer, and what they emitted waits.
-- Locks: none. Index: none, one row for each connection. Rows: one for each.
SELECT format('process %s (%s, %s) has a transaction open since %s',
         a.pid, coalesce(a.usename, 'unknown'), coalesce(nullif(a.application_name, ''), 'unnamed'), a.xact_start)
FROM pg_stat_activity AS a
WHERE a.xact_start < clock_timestamp() - ? * interval '1 second'
  AND (a.backend_xid IS NOT NULL OR a.backend_xmin IS NOT NULL)
  AND a.datname = current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()
ORDER BY a.xact_start
LIMIT 10
