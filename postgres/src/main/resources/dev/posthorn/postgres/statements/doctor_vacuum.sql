-- Whether the log is vacuumed and analysed by itself.
-- Locks: none. Index: the catalog's. Rows: one at most.
SELECT CASE WHEN current_setting('autovacuum') = 'off' THEN 'autovacuum is off on this server'
            ELSE 'autovacuum is off for the table outbox' END
FROM pg_class AS c
WHERE c.oid = to_regclass(?)
  AND (current_setting('autovacuum') = 'off' OR 'autovacuum_enabled=false' = ANY (c.reloptions)
       OR 'autovacuum_enabled=off' = ANY (c.reloptions))
