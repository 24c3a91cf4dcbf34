-- See the function record_action.
-- Locks: none. Index: none needed, routes are few. Rows: one.
SELECT {schema}.record_action(?, ?, ?, ?, ?)
