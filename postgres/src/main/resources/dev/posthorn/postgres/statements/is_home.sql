-- Whether the log lies in the cluster in which it was written, so that its transaction ids hold.
-- Locks: none. Index: none, one row. Rows: one.
SELECT {schema}.is_home()
