-- Ends a run, done or failed; false if it is another's. See the function end_run.
-- Locks: the run's row. Index: workflow_run_pkey. Rows: one.
SELECT {schema}.end_run(?::uuid, ?, ?::text, ?::text)
