-- Where a route publishes, and which destinations exist there. A changed prefix or address is refused until someone confirms
-- it, and a destination that disappears is not silently created again: either way events would be published to nobody.

ALTER TABLE {schema}.route ADD COLUMN destination text CHECK (length(destination) <= 2000);

-- The place is that of a route: address without secrets, and prefix. Unheard: nobody subscribes.
CREATE TABLE {schema}.destination (
  place         text        NOT NULL CHECK (length(place) <= 2000),
  kind          text        NOT NULL CHECK (length(kind) <= 100),
  name          text        NOT NULL CHECK (length(name) <= 2000),
  first_seen    timestamptz NOT NULL DEFAULT clock_timestamp(),
  missing_since timestamptz,
  unheard_since timestamptz,
  PRIMARY KEY (place, kind, name)
);

-- Where the route publishes. The first process of a route decides.
CREATE FUNCTION {schema}.settle_route(route text, destination text) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE {schema}.route r SET destination = settle_route.destination
  WHERE r.name = settle_route.route AND r.destination IS NULL AND r.retired_at IS NULL;
  SELECT r.destination FROM {schema}.route r WHERE r.name = settle_route.route
$$;

-- Confirms that a route publishes elsewhere from now on; false if it did already.
CREATE FUNCTION {schema}.redirect_route(route text, destination text, reason text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found {schema}.route;
BEGIN
  SELECT r.* INTO found FROM {schema}.route r WHERE r.name = redirect_route.route FOR UPDATE;
  IF found.id IS NULL THEN
    RAISE EXCEPTION 'there is no route "%"', redirect_route.route
      USING ERRCODE = 'no_data_found', HINT = 'Look at the table route for their names.';
  END IF;
  IF found.destination IS NOT DISTINCT FROM redirect_route.destination THEN
    RETURN false;
  END IF;
  UPDATE {schema}.route r SET destination = redirect_route.destination WHERE r.id = found.id;
  INSERT INTO {schema}.operator_action (action, route, target, reason, rows)
  VALUES (
    'redirect', found.id, coalesce(found.destination, 'nowhere') || ' -> ' || redirect_route.destination,
    redirect_route.reason, 1);
  RETURN true;
END
$$;

CREATE FUNCTION {schema}.is_destination(place text, kind text, name text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM {schema}.destination d
    WHERE d.place = is_destination.place AND d.kind = is_destination.kind AND d.name = is_destination.name)
$$;

-- It exists: it was just found or created.
CREATE FUNCTION {schema}.found_destination(place text, kind text, name text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO {schema}.destination AS d (place, kind, name)
  VALUES (found_destination.place, found_destination.kind, found_destination.name)
  ON CONFLICT ON CONSTRAINT destination_pkey DO UPDATE SET missing_since = NULL WHERE d.missing_since IS NOT NULL;
  SELECT true
$$;

-- It existed before, and does not now; false if that was never so.
CREATE FUNCTION {schema}.miss_destination(place text, kind text, name text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.destination d
  SET missing_since = coalesce(d.missing_since, clock_timestamp()), unheard_since = NULL
  WHERE d.place = miss_destination.place AND d.kind = miss_destination.kind AND d.name = miss_destination.name;
  RETURN FOUND;
END
$$;

-- Nobody subscribes to these of the place, and somebody to all others.
CREATE FUNCTION {schema}.unheard_destinations(place text, names text[]) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE {schema}.destination d
  SET unheard_since = CASE WHEN d.name = ANY (unheard_destinations.names) THEN clock_timestamp() END
  WHERE d.place = unheard_destinations.place
    AND (d.unheard_since IS NOT NULL) <> (d.name = ANY (unheard_destinations.names));
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$$;

-- Lets missing destinations of this name be created again, by whoever needs them next. Answers how many there were.
CREATE FUNCTION {schema}.create_destination(name text, reason text) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  allowed integer;
BEGIN
  DELETE FROM {schema}.destination d WHERE d.name = create_destination.name AND d.missing_since IS NOT NULL;
  GET DIAGNOSTICS allowed = ROW_COUNT;
  IF allowed > 0 THEN
    INSERT INTO {schema}.operator_action (action, target, reason, rows)
    VALUES ('create destination', create_destination.name, create_destination.reason, allowed);
  END IF;
  RETURN allowed;
END
$$;

REVOKE ALL ON {schema}.destination FROM PUBLIC;
REVOKE ALL ON FUNCTION {schema}.settle_route, {schema}.redirect_route, {schema}.is_destination, {schema}.found_destination,
  {schema}.miss_destination, {schema}.unheard_destinations, {schema}.create_destination FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT SELECT ON {schema}.destination TO {role};
GRANT EXECUTE ON FUNCTION {schema}.settle_route, {schema}.redirect_route, {schema}.is_destination,
  {schema}.found_destination, {schema}.miss_destination, {schema}.unheard_destinations TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION {schema}.is_destination, {schema}.found_destination, {schema}.miss_destination TO {role};
$consumer$ WHERE kind = 'consumer';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.destination TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.destination TO {role};
GRANT EXECUTE ON FUNCTION {schema}.redirect_route, {schema}.create_destination TO {role};
$operator$ WHERE kind = 'operator';
