-- Positions of keys that nobody hears of any more go after a long time.

-- The day is enough to find them by, and changes once a day for a key: with the time itself in an index every move of a
-- position would write to all indexes.
ALTER TABLE {schema}.position ADD COLUMN moved_on date NOT NULL DEFAULT current_date;
CREATE INDEX position_moved_on ON {schema}.position (moved_on);

-- As before, and remembers the day.
CREATE OR REPLACE FUNCTION {schema}.advance_position(
  consumer text, handler text, key text, sequence bigint, over_gaps boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO {schema}.position AS p (consumer, handler, key, sequence)
  VALUES (advance_position.consumer, advance_position.handler, advance_position.key, advance_position.sequence)
  ON CONFLICT ON CONSTRAINT position_pkey DO UPDATE
  SET sequence = excluded.sequence, moved_at = clock_timestamp(), moved_on = current_date
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

-- As before, and remembers the day.
CREATE OR REPLACE FUNCTION {schema}.move_position(
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
  SET sequence = move_position.sequence, moved_at = clock_timestamp(), moved_on = current_date
  WHERE p.consumer = move_position.consumer AND p.handler = move_position.handler AND p.key = move_position.key;
  INSERT INTO {schema}.operator_action (action, target, reason, rows)
  VALUES (
    'move position', move_position.consumer || '/' || move_position.handler || ' ' || move_position.key || ' from ' || before
      || ' to ' || move_position.sequence, move_position.reason, 1);
  RETURN before;
END
$$;

-- Removes positions that moved longer ago than this, some at a time. Their keys are new then: they begin with whatever comes
-- first. One that a handler is moving stays.
CREATE FUNCTION {schema}.prune_positions(older interval, chunk int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
DECLARE
  before timestamptz := clock_timestamp() - prune_positions.older;
  removed bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN 0;
  END IF;
  -- A day more, for sessions in other time zones; the time itself decides.
  DELETE FROM {schema}.position p
  WHERE p.ctid = ANY (ARRAY(
    SELECT o.ctid FROM {schema}.position o
    WHERE o.moved_on <= before::date + 1 AND o.moved_at < before
    ORDER BY o.moved_on
    LIMIT prune_positions.chunk
    FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

REVOKE ALL ON FUNCTION {schema}.prune_positions FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.prune_positions TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT EXECUTE ON FUNCTION {schema}.prune_positions TO {role};
$operator$ WHERE kind = 'operator';
