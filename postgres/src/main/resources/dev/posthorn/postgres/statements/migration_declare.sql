-- Records the newest migration that a process must know to work with this one.
-- Locks: the migration's row. Index: primary key. Rows: 1.
UPDATE {schema}.migration SET oldest_process = ? WHERE version = ?
