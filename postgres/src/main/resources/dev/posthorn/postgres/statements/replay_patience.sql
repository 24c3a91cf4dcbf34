-- How long a statement of this transaction may take, in milliseconds; 0 is without end.
-- Locks: none. Index: none. Rows: one.
SELECT set_config('statement_timeout', ?::text, true)
