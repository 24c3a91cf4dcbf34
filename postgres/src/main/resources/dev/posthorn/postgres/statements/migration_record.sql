-- Remembers a migration in the transaction that applied it.
-- Locks: nothing but its own row. Index: primary key. Rows: 1.
INSERT INTO {schema}.migration (version, name, checksum) VALUES (?, ?, ?)
