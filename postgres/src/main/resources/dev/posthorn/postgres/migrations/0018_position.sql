-- How far each handler is with each key, by the events' own sequence. It moves in the handler's own transaction, so that the
-- position and the effects are kept together. The log's seq is never compared: an event that commits late has a low one.

CREATE TABLE {schema}.position (
  consumer text        COLLATE "C" NOT NULL,
  handler  text        COLLATE "C" NOT NULL,
  key      text        COLLATE "C" NOT NULL,
  sequence bigint      NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, handler, key)
) WITH (fillfactor = 70);

-- Moves a position to a sequence if that is the next one, or with "over_gaps" any later one, or if the key is new. Null if it
-- moved, otherwise where it is. Whoever comes second for a key waits for the first.
CREATE FUNCTION {schema}.advance_position(
  consumer text, handler text, key text, sequence bigint, over_gaps boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO {schema}.position AS p (consumer, handler, key, sequence)
  VALUES (advance_position.consumer, advance_position.handler, advance_position.key, advance_position.sequence)
  ON CONFLICT ON CONSTRAINT position_pkey DO UPDATE
  SET sequence = excluded.sequence, moved_at = clock_timestamp()
  WHERE excluded.sequence = p.sequence + 1 OR (advance_position.over_gaps AND excluded.sequence > p.sequence);
  IF FOUND THEN
    RETURN NULL;
  END IF;
  -- The conflict has locked the row, so what is read here stays until the transaction ends.
  RETURN (
    SELECT p.sequence FROM {schema}.position p
    WHERE p.consumer = advance_position.consumer AND p.handler = advance_position.handler
      AND p.key = advance_position.key);
END
$$;

-- Passes over what a key waits for: the next event that is handled is the one after this sequence. Answers where it was.
CREATE FUNCTION {schema}.move_position(
  consumer text, handler text, key text, sequence bigint, reason text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before bigint;
BEGIN
  SELECT p.sequence INTO before FROM {schema}.position p
  WHERE p.consumer = move_position.consumer AND p.handler = move_position.handler AND p.key = move_position.key
  FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION '%/% has no position for the key "%"', move_position.consumer, move_position.handler, move_position.key
      USING ERRCODE = 'no_data_found', HINT = 'A key has one once an event of it was handled. See the table position.';
  END IF;
  UPDATE {schema}.position p
  SET sequence = move_position.sequence, moved_at = clock_timestamp()
  WHERE p.consumer = move_position.consumer AND p.handler = move_position.handler AND p.key = move_position.key;
  INSERT INTO {schema}.operator_action (action, target, reason, rows)
  VALUES (
    'move position', move_position.consumer || '/' || move_position.handler || ' ' || move_position.key || ' from ' || before
      || ' to ' || move_position.sequence, move_position.reason, 1);
  RETURN before;
END
$$;

REVOKE ALL ON {schema}.position FROM PUBLIC;
REVOKE ALL ON FUNCTION {schema}.advance_position, {schema}.move_position FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION {schema}.advance_position TO {role};
$consumer$ WHERE kind = 'consumer';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.position TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.position TO {role};
GRANT EXECUTE ON FUNCTION {schema}.move_position TO {role};
$operator$ WHERE kind = 'operator';
