-- The database's clock, and whether the database is a standby.
-- Locks: none. Index: none. Rows: one.
SELECT date_part('epoch', clock_timestamp()), pg_is_in_recovery()
