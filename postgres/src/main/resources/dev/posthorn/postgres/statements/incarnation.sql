-- Which server this is: run and timeline, or standby.
-- Locks: none. Index: none. Rows: one.
SELECT {schema}.incarnation()
