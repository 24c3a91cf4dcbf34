-- What an operator may do to a route. Each leaves a row in operator_action if it changed anything.

CREATE FUNCTION {schema}.change_route(verb text, route text, reason text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found {schema}.route;
  changed boolean;
BEGIN
  SELECT r.* INTO found FROM {schema}.route r WHERE r.name = change_route.route FOR UPDATE;
  IF found.id IS NULL THEN
    RAISE EXCEPTION 'there is no route "%"', change_route.route
      USING ERRCODE = 'no_data_found', HINT = 'Look at the table route for their names.';
  END IF;
  IF found.retired_at IS NOT NULL AND verb <> 'retire' THEN
    RAISE EXCEPTION 'route "%" is retired', change_route.route
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'What it missed may be pruned. Create another route.';
  END IF;
  CASE verb
    WHEN 'pause' THEN
      changed := found.paused_at IS NULL;
      UPDATE {schema}.route r SET paused_at = coalesce(r.paused_at, clock_timestamp()) WHERE r.id = found.id;
    WHEN 'resume' THEN
      changed := found.paused_at IS NOT NULL;
      UPDATE {schema}.route r SET paused_at = NULL WHERE r.id = found.id;
    WHEN 'retire' THEN
      changed := found.retired_at IS NULL;
      UPDATE {schema}.route r SET retired_at = coalesce(r.retired_at, clock_timestamp()) WHERE r.id = found.id;
  END CASE;
  IF changed THEN
    INSERT INTO {schema}.operator_action (action, route, target, reason, rows)
    VALUES (verb, found.id, found.name, change_route.reason, 1);
  END IF;
  RETURN changed;
END
$$;

-- Nothing is published any more, by no relay, within a second; false if it was paused already.
CREATE FUNCTION {schema}.pause_route(route text, reason text DEFAULT NULL) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {schema}.change_route('pause', route, reason)
$$;

-- It goes on where it was; false if it was not paused.
CREATE FUNCTION {schema}.resume_route(route text, reason text DEFAULT NULL) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {schema}.change_route('resume', route, reason)
$$;

-- It publishes nothing any more and keeps no event from being pruned, for ever; false if it was retired already.
CREATE FUNCTION {schema}.retire_route(route text, reason text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {schema}.change_route('retire', route, reason)
$$;

REVOKE EXECUTE ON FUNCTION {schema}.change_route, {schema}.pause_route, {schema}.resume_route, {schema}.retire_route
  FROM PUBLIC;

REVOKE ALL ON FUNCTION {schema}.wants FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.wants TO {role};
GRANT SELECT ON SEQUENCE {schema}.outbox_seq_seq TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT EXECUTE ON FUNCTION {schema}.wants TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT EXECUTE ON FUNCTION {schema}.wants, {schema}.pause_route, {schema}.resume_route, {schema}.retire_route TO {role};
$operator$ WHERE kind = 'operator';
