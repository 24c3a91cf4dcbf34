-- Marks a step as done, in the transaction of its effects; false if the run is another's. See the function finish_step.
-- Locks: the run's row, until the transaction ends. Indexes: workflow_run_pkey, workflow_step_run. Rows: one.
SELECT {schema}.finish_step(?::uuid, ?, ?, ? * interval '1 millisecond', ?)
