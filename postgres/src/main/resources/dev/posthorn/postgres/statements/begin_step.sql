-- Begins a step of a run, or answers what came of it before. See the function begin_step.
-- Locks: the run's row. Indexes: workflow_run_pkey, workflow_step_done, workflow_step_run. Rows: one.
SELECT s.outcome, s.result FROM {schema}.begin_step(?::uuid, ?, ?, ? * interval '1 millisecond') AS s
