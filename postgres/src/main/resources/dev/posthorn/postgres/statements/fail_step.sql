-- Logs that a step failed. See the function fail_step.
-- Locks: the step's row. Index: workflow_step_run. Rows: one.
SELECT {schema}.fail_step(?::uuid, ?, ?, ?)
