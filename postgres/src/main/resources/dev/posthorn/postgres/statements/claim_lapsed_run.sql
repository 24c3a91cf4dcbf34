-- Takes a run whose owner is dead. See the function claim_lapsed_run.
-- Locks: the run's row; skips those that others have. Index: workflow_run_until. Rows: one or none.
SELECT l.run, l.attempt, l.handler, l.headers, l.body
FROM {schema}.claim_lapsed_run(?::text[], ?, ? * interval '1 millisecond') AS l
