-- Transactions of others that have been open for long: vacuum can remove nothing that is newer, and what they emitted waits. Those
-- that are idle or have written are named early, those that only read late. When the
-- transaction of another login began is visible to members of pg_read_all_stats only.
-- Locks: none. Index: none, one row for each connection. Rows: one for each.
SELECT format('process %s (%s, %s) has a transaction open since %s%s',
         a.pid, coalesce(a.usename, 'unknown'), coalesce(nullif(a.application_name, ''), 'unnamed'), a.xact_start,
         CASE WHEN a.state LIKE 'idle in transaction%' THEN
           ', idle since ' || a.state_change ELSE '' END)
FROM pg_stat_activity AS a
WHERE (a.xact_start < clock_timestamp() - ? * interval '1 second'
    AND (a.backend_xid IS NOT NULL OR a.state LIKE 'idle in transaction%')
  OR a.xact_start < clock_timestamp() - ? * interval '1 second')
  AND (a.backend_xid IS NOT NULL OR a.backend_xmin IS NOT NULL OR a.state LIKE 'idle in transaction%')
  AND a.datname = current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()
ORDER BY a.xact_start
LIMIT 10
