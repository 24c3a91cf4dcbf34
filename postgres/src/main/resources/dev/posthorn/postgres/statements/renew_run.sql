-- Gives a run time from now; false if it is another's. See the function renew_run.
-- Locks: the run's row; waits for a step of it that is committing. Index: workflow_run_pkey. Rows: one.
SELECT {schema}.renew_run(?::uuid, ?, ? * interval '1 millisecond')
