-- Calls to systems outside the database: who makes one now, and what was answered.
--
-- A claim is committed before the call is made and an answer after it, so what lies between them is made again by the next one
-- after the claim has run out, with the same idempotency key.

CREATE TABLE {schema}.outside_call (
  name        text        NOT NULL,
  event_id    uuid        NOT NULL,
  token       uuid        NOT NULL,
  claimed_at  timestamptz NOT NULL,
  until       timestamptz NOT NULL,
  calls       int         NOT NULL,
  answer      text,
  PRIMARY KEY (name, event_id)
) WITH (fillfactor = 70);

CREATE INDEX outside_call_claimed_at ON {schema}.outside_call (claimed_at);

-- Claims a call for a while. mine: nobody has an answer or a claim. answer: what was answered before, whoever asked. Otherwise
-- somebody else may be calling, for as long as remaining says.
CREATE FUNCTION {schema}.claim_call(
  call text, event uuid, token uuid, lease interval, OUT mine boolean, OUT answer text, OUT remaining interval)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  claimed timestamptz := clock_timestamp();
BEGIN
  INSERT INTO {schema}.outside_call AS c (name, event_id, token, claimed_at, until, calls)
  VALUES (claim_call.call, claim_call.event, claim_call.token, claimed, claimed + claim_call.lease, 1)
  ON CONFLICT (name, event_id) DO UPDATE
  SET token = excluded.token, claimed_at = excluded.claimed_at, until = excluded.until, calls = c.calls + 1
  WHERE c.answer IS NULL AND c.until <= clock_timestamp();
  mine := FOUND;
  IF NOT mine THEN
    SELECT c.answer, greatest(c.until - clock_timestamp(), interval '0') INTO claim_call.answer, claim_call.remaining
    FROM {schema}.outside_call c
    WHERE c.name = claim_call.call AND c.event_id = claim_call.event;
  END IF;
END
$$;

-- Keeps an answer; false if the claim ran out and another has it now, or has answered.
CREATE FUNCTION {schema}.answer_call(call text, event uuid, token uuid, answer text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  WITH kept AS (
    UPDATE {schema}.outside_call c
    SET answer = answer_call.answer, until = clock_timestamp()
    WHERE c.name = answer_call.call AND c.event_id = answer_call.event AND c.token = answer_call.token AND c.answer IS NULL
    RETURNING 1)
  SELECT EXISTS (SELECT FROM kept)
$$;

-- Lets the next one call at once.
CREATE FUNCTION {schema}.release_call(call text, event uuid, token uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  UPDATE {schema}.outside_call c
  SET until = clock_timestamp()
  WHERE c.name = release_call.call AND c.event_id = release_call.event AND c.token = release_call.token AND c.answer IS NULL
$$;

-- Removes calls that were claimed longer ago than this, some at a time.
CREATE FUNCTION {schema}.prune_calls(older interval, chunk int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  removed bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN 0;
  END IF;
  DELETE FROM {schema}.outside_call c
  WHERE c.ctid = ANY (ARRAY(
    SELECT o.ctid FROM {schema}.outside_call o
    WHERE o.claimed_at < clock_timestamp() - prune_calls.older AND o.until < clock_timestamp()
    LIMIT prune_calls.chunk));
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

REVOKE ALL ON {schema}.outside_call FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION {schema}.claim_call, {schema}.answer_call, {schema}.release_call, {schema}.prune_calls FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION {schema}.claim_call, {schema}.answer_call, {schema}.release_call TO {role};
$consumer$ WHERE kind = 'consumer';

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.prune_calls TO {role};
$relay$ WHERE kind = 'relay';

-- What a remote system answered may tell what the payload does.
UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT (name, event_id, claimed_at, until, calls) ON {schema}.outside_call TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.outside_call TO {role};
GRANT EXECUTE ON FUNCTION {schema}.prune_calls TO {role};
$operator$ WHERE kind = 'operator';
