-- What was applied to the schema.
-- Locks: nothing. Index: none, read whole. Rows: one for each migration.
SELECT version, name, checksum FROM {schema}.migration ORDER BY version
