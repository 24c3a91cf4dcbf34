-- Removes commands whose run ended long ago. See the function prune_commands.
-- Locks: the rows it removes. Indexes: workflow_run_ended_at, command_run, workflow_step_run, inbox_pkey. Rows: one.
SELECT {schema}.prune_commands(? * interval '1 millisecond', ?::int)
