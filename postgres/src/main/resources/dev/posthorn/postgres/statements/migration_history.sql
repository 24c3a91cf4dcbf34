-- What was applied to the schema. An older schema lacks the column oldest_process.
-- Locks: nothing. Index: none, read whole. Rows: one for each migration.
SELECT m.version, m.name, m.checksum, coalesce((to_jsonb(m) ->> 'oldest_process')::int, 1)
FROM {schema}.migration m
ORDER BY m.version
