-- The role that was asked for, if there is one; otherwise those that are a relay's here: whoever asks, or has sessions of a
-- relay, and may write leases or checkpoints of this schema.
-- Locks: none. Index: none, one row for each role and connection. Rows: few.
SELECT r.rolname
FROM pg_roles AS r CROSS JOIN (SELECT ?::text AS role, ?::text AS schema) AS asked
WHERE r.rolname = asked.role
   OR (asked.role IS NULL
     AND (r.rolname = current_user OR r.rolname IN (
       SELECT a.usename FROM pg_stat_activity AS a
       WHERE a.datname = current_database() AND a.application_name LIKE 'posthorn relay %'))
     AND EXISTS (
       SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
       WHERE n.nspname = asked.schema AND c.relname IN ('checkpoint', 'lease')
         AND has_table_privilege(r.oid, c.oid, 'INSERT')))
ORDER BY r.rolname
