-- A workflow run keeps its lease while a step is at work, however long that takes.

-- Gives a run this much time from now. False if another has it, or if it has ended.
CREATE FUNCTION {schema}.renew_run(run uuid, attempt int, lease interval) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.workflow_run r
  SET until = clock_timestamp() + lease, changed_at = clock_timestamp()
  WHERE r.id = renew_run.run AND r.attempt = renew_run.attempt AND r.state = 'RUNNING';
  RETURN FOUND;
END
$$;

REVOKE ALL ON FUNCTION {schema}.renew_run FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION {schema}.renew_run TO {role};
$consumer$ WHERE kind = 'consumer';
