-- What an operator may do to an event that FAILED. Each is a compare-and-set, so that two operators, or an operator and a
-- relay, can not both have their way, and leaves a row in operator_action. The reading before the change is there for the
-- order of things: whoever sees the FAILED row also sees whether its key is held, because one flush wrote both.

CREATE FUNCTION {schema}.redrive(route text, event uuid, reason text DEFAULT NULL) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  failed record;
  answer text;
BEGIN
  SELECT d.route, d.lane, d.seq, d.key INTO failed
  FROM {schema}.outbox o
  JOIN {schema}.route r ON r.name = redrive.route
  JOIN {schema}.detour d ON d.route = r.id AND d.seq = o.seq AND d.kind = 'FAILED'
  WHERE o.id = redrive.event;

  UPDATE {schema}.blocked_key b
  SET passed = failed.seq - 1, attempts = 0, held = false, next_attempt = clock_timestamp(), last_error = NULL
  WHERE b.route = failed.route AND b.lane = failed.lane AND b.key = failed.key AND b.held AND b.head = failed.seq;

  IF FOUND THEN
    answer := 'put back in place at the head of its key';
    DELETE FROM {schema}.detour d WHERE d.route = failed.route AND d.seq = failed.seq AND d.kind = 'FAILED';
  ELSE
    answer := 'to be published by itself, out of order';
    UPDATE {schema}.detour d
    SET kind = 'REDRIVE', due = clock_timestamp(), attempts = 0, changed_at = clock_timestamp()
    WHERE d.route = failed.route AND d.seq = failed.seq AND d.kind = 'FAILED';
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'event % is not FAILED for route "%"', redrive.event, redrive.route
      USING ERRCODE = 'no_data_found', HINT = 'Look at outbox_status for its state; it may have been redriven already.';
  END IF;

  INSERT INTO {schema}.operator_action (action, route, target, reason, rows)
  VALUES ('redrive', failed.route, redrive.event::text, redrive.reason, 1);
  RETURN answer;
END
$$;

CREATE FUNCTION {schema}.discard(route text, event uuid, reason text) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  failed record;
  answer text;
BEGIN
  SELECT d.route, d.lane, d.seq, d.key INTO failed
  FROM {schema}.outbox o
  JOIN {schema}.route r ON r.name = discard.route
  JOIN {schema}.detour d ON d.route = r.id AND d.seq = o.seq AND d.kind = 'FAILED'
  WHERE o.id = discard.event;

  UPDATE {schema}.blocked_key b
  SET head = NULL, attempts = 0, held = false, next_attempt = clock_timestamp(), last_error = NULL
  WHERE b.route = failed.route AND b.lane = failed.lane AND b.key = failed.key AND b.held AND b.head = failed.seq;
  answer := CASE WHEN FOUND THEN 'discarded; its key goes on after it' ELSE 'discarded' END;

  DELETE FROM {schema}.detour d WHERE d.route = failed.route AND d.seq = failed.seq AND d.kind = 'FAILED';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'event % is not FAILED for route "%"', discard.event, discard.route
      USING ERRCODE = 'no_data_found', HINT = 'Look at outbox_status for its state; it may have been redriven already.';
  END IF;

  INSERT INTO {schema}.operator_action (action, route, target, reason, rows)
  VALUES ('discard', failed.route, discard.event::text, discard.reason, 1);
  RETURN answer;
END
$$;

REVOKE EXECUTE ON FUNCTION {schema}.redrive, {schema}.discard FROM PUBLIC;
