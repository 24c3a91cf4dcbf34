-- Lets one process at a time change the schema; the others wait and then find the work done.
-- Locks: one transaction-level advisory lock, the same for every schema of the database.
-- Index: none. Rows: 1.
SELECT pg_advisory_xact_lock(7811341722304571)
