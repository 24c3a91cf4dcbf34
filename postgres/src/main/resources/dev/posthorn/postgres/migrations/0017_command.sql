-- Commands, the workflow runs they start, and what each step of a run did.
--
-- A command is known by its id or its idempotency key, for each handler and tenant, and has one run for ever. The run's attempt
-- grows whenever somebody takes the run: whoever writes for an earlier attempt is refused, however late the write comes.

-- The command as it came, so that a run whose owner is dead can be taken over without it coming again.
CREATE TABLE {schema}.command (
  tenant          text        COLLATE "C" NOT NULL,
  handler         text        COLLATE "C" NOT NULL,
  id              uuid        NOT NULL,
  idempotency_key text        COLLATE "C" NOT NULL,
  domain          text        NOT NULL,
  type            text        NOT NULL,
  body_hash       bytea       NOT NULL CHECK (octet_length(body_hash) = 32),
  correlation_id  text,
  headers         jsonb       NOT NULL,
  body            bytea       NOT NULL,
  run_id          uuid        NOT NULL,
  received_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT command_pkey PRIMARY KEY (id, handler, tenant),
  CONSTRAINT command_key UNIQUE (idempotency_key, handler, tenant),
  CONSTRAINT command_run UNIQUE (run_id)
);

CREATE TABLE {schema}.workflow_run (
  id         uuid        PRIMARY KEY,
  handler    text        COLLATE "C" NOT NULL,
  state      text        NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'DONE', 'FAILED')),
  attempt    int         NOT NULL DEFAULT 1,
  owner      text        NOT NULL,
  until      timestamptz NOT NULL,
  result     text,
  error      text,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at   timestamptz,
  CHECK ((state = 'RUNNING') = (ended_at IS NULL)),
  CHECK ((state = 'DONE') = (result IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX workflow_run_until ON {schema}.workflow_run (handler, until) WHERE state = 'RUNNING';
CREATE INDEX workflow_run_ended_at ON {schema}.workflow_run (ended_at) WHERE ended_at IS NOT NULL;

-- One row for each time a step was begun. LOST is one whose owner was dead when the next one began it again.
CREATE TABLE {schema}.workflow_step (
  n          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id     uuid        NOT NULL,
  name       text        COLLATE "C" NOT NULL,
  state      text        NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'DONE', 'FAILED', 'LOST')),
  attempt    int         NOT NULL,
  result     text,
  error      text,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at   timestamptz
) WITH (fillfactor = 70);
CREATE INDEX workflow_step_run ON {schema}.workflow_step (run_id, name);
-- A step is done once, whatever else goes wrong.
CREATE UNIQUE INDEX workflow_step_done ON {schema}.workflow_step (run_id, name) WHERE state = 'DONE';

-- Looks a command up, and with "may_run" takes its run if nobody has it: a new one, one that failed, or one whose owner is
-- dead. MINE: the caller runs it as this attempt. RUNNING, DONE, FAILED: what it is. CONFLICT: its id or its idempotency key
-- came with something else before. Null: never heard of, and not to be run.
CREATE FUNCTION {schema}.claim_command(
  said {schema}.command, may_run boolean, owner text, lease interval,
  OUT outcome text, OUT run uuid, OUT attempt int, OUT remaining interval, OUT result text, OUT error text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  known {schema}.command;
  found_run {schema}.workflow_run;
BEGIN
  LOOP
    IF may_run THEN
      INSERT INTO {schema}.command AS c (
        tenant, handler, id, idempotency_key, domain, type, body_hash, correlation_id, headers, body, run_id)
      VALUES (
        said.tenant, said.handler, said.id, said.idempotency_key, said.domain, said.type, said.body_hash,
        said.correlation_id, said.headers, said.body, {schema}.uuid_v7())
      ON CONFLICT DO NOTHING
      RETURNING c.run_id INTO run;
      IF FOUND THEN
        INSERT INTO {schema}.workflow_run (id, handler, owner, until)
        VALUES (run, said.handler, claim_command.owner, clock_timestamp() + lease);
        outcome := 'MINE';
        attempt := 1;
        RETURN;
      END IF;
    END IF;
    SELECT c.* INTO known FROM {schema}.command c
    WHERE c.id = said.id AND c.handler = said.handler AND c.tenant = said.tenant;
    IF NOT FOUND THEN
      SELECT c.* INTO known FROM {schema}.command c
      WHERE c.idempotency_key = said.idempotency_key AND c.handler = said.handler AND c.tenant = said.tenant;
    END IF;
    IF FOUND THEN
      run := known.run_id;
      IF (known.domain, known.type, known.body_hash) IS DISTINCT FROM (said.domain, said.type, said.body_hash)
        OR known.id = said.id AND known.idempotency_key <> said.idempotency_key
      THEN
        outcome := 'CONFLICT';
        error := CASE WHEN known.id = said.id THEN 'id ' || said.id ELSE 'idempotency key ' || said.idempotency_key END;
        RETURN;
      END IF;
      IF may_run THEN
        UPDATE {schema}.workflow_run r
        SET state = 'RUNNING', attempt = r.attempt + 1, owner = claim_command.owner, until = clock_timestamp() + lease,
          error = NULL, changed_at = clock_timestamp(), ended_at = NULL
        WHERE r.id = known.run_id AND (r.state = 'FAILED' OR r.state = 'RUNNING' AND r.until <= clock_timestamp())
        RETURNING r.attempt INTO attempt;
        IF FOUND THEN
          outcome := 'MINE';
          RETURN;
        END IF;
      END IF;
      SELECT r.* INTO found_run FROM {schema}.workflow_run r WHERE r.id = known.run_id;
    END IF;
    EXIT WHEN FOUND OR NOT may_run;
    -- Both were pruned in between: it is new again.
  END LOOP;
  outcome := found_run.state;
  attempt := found_run.attempt;
  remaining := greatest(found_run.until - clock_timestamp(), interval '0');
  result := found_run.result;
  error := found_run.error;
END
$$;

-- Takes a run of one of these handlers whose owner is dead, with its command; no row if there is none.
CREATE FUNCTION {schema}.claim_lapsed_run(handlers text[], owner text, lease interval)
RETURNS TABLE (run uuid, attempt int, handler text, headers text[], body bytea)
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
  WITH taken AS (
    UPDATE {schema}.workflow_run r
    SET attempt = r.attempt + 1, owner = claim_lapsed_run.owner, until = clock_timestamp() + lease, changed_at = clock_timestamp()
    WHERE r.id = (
      SELECT l.id FROM {schema}.workflow_run l
      WHERE l.handler = ANY (handlers) AND l.state = 'RUNNING' AND l.until <= clock_timestamp()
      ORDER BY l.until
      LIMIT 1
      FOR UPDATE SKIP LOCKED)
    RETURNING r.id, r.attempt
  )
  SELECT t.id, t.attempt, c.handler, ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(c.headers) AS h), c.body
  FROM taken t JOIN {schema}.command c ON c.run_id = t.id
$$;

-- Begins a step. DONE: it was done before, with this result. MINE: the caller does it now. LOST: another has the run.
CREATE FUNCTION {schema}.begin_step(run uuid, attempt int, step text, lease interval, OUT outcome text, OUT result text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.workflow_run r
  SET until = clock_timestamp() + lease, changed_at = clock_timestamp()
  WHERE r.id = begin_step.run AND r.attempt = begin_step.attempt AND r.state = 'RUNNING';
  IF NOT FOUND THEN
    outcome := 'LOST';
    RETURN;
  END IF;
  SELECT s.result INTO result FROM {schema}.workflow_step s
  WHERE s.run_id = begin_step.run AND s.name = begin_step.step AND s.state = 'DONE';
  IF FOUND THEN
    outcome := 'DONE';
    RETURN;
  END IF;
  UPDATE {schema}.workflow_step s SET state = 'LOST', ended_at = clock_timestamp()
  WHERE s.run_id = begin_step.run AND s.name = begin_step.step AND s.state = 'RUNNING';
  INSERT INTO {schema}.workflow_step (run_id, name, attempt) VALUES (begin_step.run, begin_step.step, begin_step.attempt);
  outcome := 'MINE';
END
$$;

-- Marks a step as done, in the transaction of its effects. False if another has the run: then they must not be kept. Holds the
-- run's row until the transaction ends, so nobody takes the run over in between.
CREATE FUNCTION {schema}.finish_step(run uuid, attempt int, step text, lease interval, result text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.workflow_run r
  SET until = clock_timestamp() + lease, changed_at = clock_timestamp()
  WHERE r.id = finish_step.run AND r.attempt = finish_step.attempt AND r.state = 'RUNNING';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE {schema}.workflow_step s
  SET state = 'DONE', result = finish_step.result, ended_at = clock_timestamp()
  WHERE s.run_id = finish_step.run AND s.name = finish_step.step AND s.attempt = finish_step.attempt AND s.state = 'RUNNING';
  RETURN FOUND;
END
$$;

-- Logs that a step failed; false if another has the run.
CREATE FUNCTION {schema}.fail_step(run uuid, attempt int, step text, error text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.workflow_step s
  SET state = 'FAILED', error = left(fail_step.error, 1024), ended_at = clock_timestamp()
  WHERE s.run_id = fail_step.run AND s.name = fail_step.step AND s.attempt = fail_step.attempt AND s.state = 'RUNNING';
  RETURN FOUND;
END
$$;

-- Ends a run: DONE with a result, else FAILED with an error. False if another has it.
CREATE FUNCTION {schema}.end_run(run uuid, attempt int, result text, error text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.workflow_run r
  SET state = CASE WHEN end_run.result IS NULL THEN 'FAILED' ELSE 'DONE' END, result = end_run.result,
    error = left(end_run.error, 1024), until = clock_timestamp(), changed_at = clock_timestamp(), ended_at = clock_timestamp()
  WHERE r.id = end_run.run AND r.attempt = end_run.attempt AND r.state = 'RUNNING';
  RETURN FOUND;
END
$$;

-- Which of these commands a consumer has not given up. One that it gave up comes back by a redrive only.
CREATE FUNCTION {schema}.not_given_up(consumer text, handler text, commands uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT c.id FROM unnest(commands) AS c (id)
  WHERE NOT EXISTS (
    SELECT FROM {schema}.inbox i
    WHERE i.event_id = c.id AND i.consumer = not_given_up.consumer AND i.handler = not_given_up.handler AND i.dead)
$$;

-- Removes commands whose run ended longer ago than this, with the run and its steps, some at a time. One that failed stays for
-- as long as its dead letter: a redrive must not do again what its steps have done.
CREATE FUNCTION {schema}.prune_commands(older interval, chunk int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  removed bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN 0;
  END IF;
  WITH gone AS (
    DELETE FROM {schema}.workflow_run r
    WHERE r.ended_at IS NOT NULL AND r.id = ANY (ARRAY(
      SELECT o.id FROM {schema}.workflow_run o
      WHERE o.ended_at < clock_timestamp() - prune_commands.older
        AND NOT (o.state = 'FAILED' AND EXISTS (
          SELECT FROM {schema}.command c
          JOIN {schema}.inbox i ON i.event_id = c.id AND i.handler = c.handler AND i.dead
          WHERE c.run_id = o.id))
      ORDER BY o.ended_at
      LIMIT prune_commands.chunk))
    RETURNING r.id
  ), steps AS (
    DELETE FROM {schema}.workflow_step s USING gone g WHERE s.run_id = g.id
  ), commands AS (
    DELETE FROM {schema}.command c USING gone g WHERE c.run_id = g.id
  )
  SELECT count(*) INTO removed FROM gone;
  RETURN removed;
END
$$;

REVOKE ALL ON {schema}.command, {schema}.workflow_run, {schema}.workflow_step FROM PUBLIC;
REVOKE ALL ON FUNCTION
  {schema}.claim_command, {schema}.claim_lapsed_run, {schema}.begin_step, {schema}.finish_step, {schema}.fail_step,
  {schema}.end_run, {schema}.not_given_up, {schema}.prune_commands
FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION
  {schema}.claim_command, {schema}.claim_lapsed_run, {schema}.begin_step, {schema}.finish_step, {schema}.fail_step,
  {schema}.end_run, {schema}.not_given_up TO {role};
$consumer$ WHERE kind = 'consumer';

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.prune_commands TO {role};
$relay$ WHERE kind = 'relay';

-- A command's headers and body, and what came of it, may tell what the payload does.
UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT (
  tenant, handler, id, idempotency_key, domain, type, body_hash, correlation_id, run_id, received_at) ON {schema}.command TO {role};
GRANT SELECT (
  id, handler, state, attempt, owner, until, error, started_at, changed_at, ended_at) ON {schema}.workflow_run TO {role};
GRANT SELECT (n, run_id, name, state, attempt, error, started_at, ended_at) ON {schema}.workflow_step TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.command, {schema}.workflow_run, {schema}.workflow_step TO {role};
GRANT EXECUTE ON FUNCTION {schema}.prune_commands TO {role};
$operator$ WHERE kind = 'operator';
