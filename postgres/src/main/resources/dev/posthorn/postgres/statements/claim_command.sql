-- Looks a command up, and takes its run if nobody has it. See the function claim_command.
-- Locks: the command's rows; waits for whoever claims it now. Indexes: command_pkey, command_key, workflow_run_pkey. Rows: one.
SELECT c.outcome, c.run, c.attempt, ceil(extract(epoch FROM c.remaining) * 1000)::bigint AS remaining_ms, c.result, c.error
FROM {schema}.claim_command(
  ROW(?::text, ?::text, ?::uuid, ?::text, ?::text, ?::text, ?::bytea, ?::text, ?::jsonb, ?::bytea, NULL, NULL)::{schema}.command,
  ?::boolean, ?, ? * interval '1 millisecond') AS c
