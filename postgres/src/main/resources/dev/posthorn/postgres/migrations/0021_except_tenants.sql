-- A route may want all tenants but some, which have routes of their own and then wait behind nobody else's events. Of
-- except_tenants null means that none is left out; an event without a tenant never is.

ALTER TABLE {schema}.route
  ADD COLUMN except_tenants text[] CHECK (except_tenants <> '{}'),
  ADD CHECK (tenants IS NULL OR except_tenants IS NULL);

-- Whether an event is the route's.
CREATE OR REPLACE FUNCTION {schema}.wants(r {schema}.route, domain text, type text, tenant text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    (r.domains IS NULL OR domain = ANY (r.domains))
    AND (r.types IS NULL OR type = ANY (r.types))
    AND (r.tenants IS NULL OR tenant = ANY (r.tenants))
    AND (r.except_tenants IS NULL OR tenant IS NULL OR tenant <> ALL (r.except_tenants)), false)
$$;

-- Starts a replay and returns its id. From the log: of what is committed now; with counted, how many that are is found out
-- first, which may take long. From an archive: of these volumes of that folder, up to last_seq, which are size events. A
-- replay into a route takes nothing that the route does not want, and names its tenants where the route leaves out some. Waits for a
-- pruner's step, so that what is counted is kept.
CREATE OR REPLACE FUNCTION {schema}.start_replay(
  target_kind     text,
  target          text,
  domains         text[]      DEFAULT NULL,
  types           text[]      DEFAULT NULL,
  aggregate_types text[]      DEFAULT NULL,
  keys            text[]      DEFAULT NULL,
  tenants         text[]      DEFAULT NULL,
  from_time       timestamptz DEFAULT NULL,
  to_time         timestamptz DEFAULT NULL,
  rate            int         DEFAULT NULL,
  reason          text        DEFAULT NULL,
  counted         boolean     DEFAULT true,
  folder          text        DEFAULT NULL,
  volumes         text[]      DEFAULT NULL,
  last_seq        bigint      DEFAULT NULL,
  size            bigint      DEFAULT NULL
) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET jit = off AS $$
DECLARE
  way  {schema}.route;
  made {schema}.replay;
  now_committed pg_snapshot;
BEGIN
  IF NOT {schema}.is_home() THEN
    RAISE EXCEPTION 'this log was restored from a dump' USING
      ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Run posthorn rebase first.';
  END IF;
  IF start_replay.target_kind = 'route' THEN
    SELECT r.* INTO way FROM {schema}.route r WHERE r.name = start_replay.target;
    IF way.id IS NULL OR way.retired_at IS NOT NULL THEN
      RAISE EXCEPTION 'there is no live route "%"', start_replay.target USING
        ERRCODE = 'no_data_found', HINT = 'Look at the table route for their names.';
    END IF;
    domains := {schema}.common_values(domains, way.domains);
    types := {schema}.common_values(types, way.types);
    tenants := {schema}.common_values(tenants, way.tenants);
    IF way.except_tenants IS NOT NULL THEN
      IF tenants IS NULL THEN
        RAISE EXCEPTION 'route "%" leaves out tenants', start_replay.target USING
          ERRCODE = 'invalid_parameter_value', HINT = 'Name the tenants to replay, or replay into another route.';
      END IF;
      tenants := ARRAY(SELECT unnest(tenants) EXCEPT SELECT unnest(way.except_tenants));
    END IF;
    IF '{}' IN (domains, types, tenants) THEN
      RAISE EXCEPTION 'route "%" wants none of these events', start_replay.target USING
        ERRCODE = 'invalid_parameter_value', HINT = 'Correct the selection, or replay into another route.';
    END IF;
  END IF;
  IF from_time >= to_time THEN
    RAISE EXCEPTION 'no time is from % on and before %', from_time, to_time USING
      ERRCODE = 'invalid_parameter_value', HINT = 'Correct one of them.';
  END IF;

  PERFORM pg_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l)));
  IF start_replay.folder IS NULL THEN
    now_committed := {schema}.current_snapshot();
    last_seq := coalesce((
      SELECT max(newest.seq) FROM {schema}.log l CROSS JOIN generate_series(0, l.lanes - 1) AS lane CROSS JOIN LATERAL (
        SELECT o.seq FROM {schema}.outbox o
        WHERE o.lane = lane::smallint AND pg_visible_in_snapshot(o.tx, now_committed)
        ORDER BY o.seq DESC LIMIT 1
      ) AS newest), 0);
  END IF;
  INSERT INTO {schema}.replay AS r (
    target_kind, target, domains, types, aggregate_types, keys, tenants, "from", "to", folder, volumes, snapshot, rate,
    "end", "of", reason)
  VALUES (
    start_replay.target_kind, start_replay.target, domains, types, start_replay.aggregate_types, start_replay.keys,
    tenants, from_time, to_time, start_replay.folder, start_replay.volumes, now_committed, start_replay.rate,
    last_seq, start_replay.size, start_replay.reason)
  RETURNING r.* INTO made;
  IF made.folder IS NULL AND counted THEN
    UPDATE {schema}.replay r SET "of" = {schema}.count_replay(made) WHERE r.id = made.id RETURNING r.* INTO made;
  END IF;
  INSERT INTO {schema}.operator_action (action, route, target, reason, rows)
  VALUES ('start replay', way.id, made.id::text, start_replay.reason, coalesce(made."of", 0));
  RETURN made.id;
END
$$;
