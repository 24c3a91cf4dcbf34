-- The other schemas of this database that hold a log.
-- Locks: nothing. Index: the catalog's. Rows: the number of logs, few.
SELECT history.relnamespace::regnamespace::text
FROM pg_class history
JOIN pg_class outbox ON outbox.relnamespace = history.relnamespace AND outbox.relname = 'outbox'
JOIN pg_class route ON route.relnamespace = history.relnamespace AND route.relname = 'route'
WHERE history.relname = 'migration' AND history.relkind = 'r'
    AND history.relnamespace IS DISTINCT FROM to_regnamespace(?)
ORDER BY 1
