-- Views in place of the workflow_runs and workflow_step_logs of a system that starts workflows by commands. What its people
-- and pages read is what Posthorn keeps; Posthorn alone writes it. Running this again replaces the views.

CREATE OR REPLACE VIEW {views}.workflow_runs AS
SELECT
  r.id AS run_id,
  r.handler AS handler_name,
  c.type AS command_type,
  c.id AS command_id,
  c.idempotency_key,
  c.correlation_id,
  nullif(c.tenant, '') AS tenant_id,
  lower(r.state) AS status,
  r.attempt,
  r.result,
  r.error,
  r.started_at,
  r.changed_at AS updated_at,
  r.ended_at AS finished_at
FROM {schema}.workflow_run r
JOIN {schema}.command c ON c.run_id = r.id;

CREATE OR REPLACE VIEW {views}.workflow_step_logs AS
SELECT
  s.n AS id,
  s.run_id,
  s.name AS step_name,
  lower(s.state) AS status,
  s.attempt,
  s.result,
  s.error,
  s.started_at,
  s.ended_at AS finished_at
FROM {schema}.workflow_step s;

-- Each twice: a view is only writable by a trigger for each row, and only one for the statement also speaks if there is no row.
CREATE OR REPLACE FUNCTION {views}.refuse_insert() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'nothing can be inserted into %: stop the old command consumer', TG_TABLE_NAME USING
    ERRCODE = 'object_not_in_prerequisite_state',
    HINT = 'Posthorn starts workflow runs, once for each command, and logs their steps.';
END
$$;

CREATE OR REPLACE TRIGGER refuse_insert INSTEAD OF INSERT ON {views}.workflow_runs
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_insert();
CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON {views}.workflow_runs
FOR EACH STATEMENT EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER refuse_row INSTEAD OF UPDATE ON {views}.workflow_runs
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER skip BEFORE DELETE ON {views}.workflow_runs
FOR EACH STATEMENT EXECUTE FUNCTION {views}.skip_delete();
CREATE OR REPLACE TRIGGER skip_row INSTEAD OF DELETE ON {views}.workflow_runs
FOR EACH ROW EXECUTE FUNCTION {views}.skip_delete();

CREATE OR REPLACE TRIGGER refuse_insert INSTEAD OF INSERT ON {views}.workflow_step_logs
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_insert();
CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON {views}.workflow_step_logs
FOR EACH STATEMENT EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER refuse_row INSTEAD OF UPDATE ON {views}.workflow_step_logs
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER skip BEFORE DELETE ON {views}.workflow_step_logs
FOR EACH STATEMENT EXECUTE FUNCTION {views}.skip_delete();
CREATE OR REPLACE TRIGGER skip_row INSTEAD OF DELETE ON {views}.workflow_step_logs
FOR EACH ROW EXECUTE FUNCTION {views}.skip_delete();

REVOKE ALL ON {views}.workflow_runs, {views}.workflow_step_logs FROM PUBLIC;
REVOKE ALL ON FUNCTION {views}.refuse_insert FROM PUBLIC;
