-- A tenant may be a subsidiary of a group, as in "acme/lagos"; where tenants are named, "acme/*" is the group with all of them.

-- Whether a tenant is among these: by its own name, or as its group or a part of that by GROUP/*. Never for one that is null.
CREATE FUNCTION {schema}.is_tenant(names text[], tenant text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(tenant = ANY (names) OR split_part(tenant, '/', 1) || '/*' = ANY (names), false)
$$;

-- The tenants that both name: null names all.
CREATE FUNCTION {schema}.common_tenants(a text[], b text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN a IS NULL THEN b WHEN b IS NULL THEN a
    ELSE ARRAY(
      SELECT x.name FROM unnest(a) AS x(name) WHERE {schema}.is_tenant(b, x.name)
      UNION SELECT y.name FROM unnest(b) AS y(name) WHERE {schema}.is_tenant(a, y.name)) END
$$;

-- Whether an event is the route's. It says itself what is_tenant does: who may call it would need another right for that.
CREATE OR REPLACE FUNCTION {schema}.wants(r {schema}.route, domain text, type text, tenant text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    (r.domains IS NULL OR domain = ANY (r.domains))
    AND (r.types IS NULL OR type = ANY (r.types))
    AND (r.tenants IS NULL OR tenant = ANY (r.tenants) OR split_part(tenant, '/', 1) || '/*' = ANY (r.tenants))
    AND (r.except_tenants IS NULL OR tenant IS NULL
      OR tenant <> ALL (r.except_tenants) AND split_part(tenant, '/', 1) || '/*' <> ALL (r.except_tenants)), false)
$$;

-- Whether a replay selects an event. One that asked for a later time than the replay's start was published by nobody yet.
CREATE OR REPLACE FUNCTION {schema}.replays(
  r {schema}.replay, domain text, type text, aggregate_type text, key text, tenant text,
  created_at timestamptz, deliver_after timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    (r.domains IS NULL OR domain = ANY (r.domains))
    AND (r.types IS NULL OR type = ANY (r.types))
    AND (r.aggregate_types IS NULL OR aggregate_type = ANY (r.aggregate_types))
    AND (r.keys IS NULL OR key COLLATE "C" = ANY (r.keys))
    AND (r.tenants IS NULL OR tenant = ANY (r.tenants) OR split_part(tenant, '/', 1) || '/*' = ANY (r.tenants))
    AND (r."from" IS NULL OR created_at >= r."from")
    AND (r."to" IS NULL OR created_at < r."to")
    AND (deliver_after IS NULL OR deliver_after <= r.started_at), false)
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
    tenants := {schema}.common_tenants(tenants, way.tenants);
    IF way.except_tenants IS NOT NULL THEN
      IF tenants IS NULL THEN
        RAISE EXCEPTION 'route "%" leaves out tenants', start_replay.target USING
          ERRCODE = 'invalid_parameter_value', HINT = 'Name the tenants to replay, or replay into another route.';
      END IF;
      tenants := ARRAY(SELECT t.name FROM unnest(tenants) AS t(name) WHERE NOT {schema}.is_tenant(way.except_tenants, t.name));
      IF EXISTS (
        SELECT FROM unnest(tenants) AS t(name), unnest(way.except_tenants) AS e(name)
        WHERE t.name = split_part(e.name, '/', 1) || '/*') THEN
        RAISE EXCEPTION 'route "%" leaves out a part of a group that is to be replayed', start_replay.target USING
          ERRCODE = 'invalid_parameter_value', HINT = 'Name its subsidiaries one by one, or replay into another route.';
      END IF;
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
      SELECT max(newest.seq) FROM {schema}.log l CROSS JOIN generate_series(0, l.lanes - 1) AS each (number) CROSS JOIN LATERAL (
        SELECT o.seq FROM {schema}.outbox o
        WHERE o.lane = each.number::smallint AND pg_visible_in_snapshot(o.tx, now_committed)
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

-- What is dead can also be found by the group of its tenant.
CREATE OR REPLACE VIEW {schema}.dead_on_route AS
SELECT 'route' AS station, r.name AS name, '' AS handler, d.event_id, d.event_id AS letter, d.domain, d.type, d.key, d.tenant,
  'publish-failed' AS cause, coalesce(d.last_error, '') AS reason, d.fingerprint,
  'See why the destination did not take it. Mend that, then redrive; or discard it if nobody needs it.' AS remedy,
  d.attempts, d.changed_at AS at, d.seq AS place,
  coalesce((SELECT b.held AND b.head = d.seq FROM {schema}.blocked_key b
    WHERE b.route = d.route AND b.lane = d.lane AND b.key = d.key), false) AS held,
  jsonb_build_object('station', 'route', 'route', r.name, 'domain', d.domain, 'type', d.type, 'key', d.key, 'tenant', d.tenant,
    'tenant_group', split_part(d.tenant, '/', 1), 'cause', 'publish-failed', 'fingerprint', d.fingerprint) AS facts
FROM {schema}.detour d
JOIN {schema}.route r ON r.id = d.route
WHERE d.kind = 'FAILED';

CREATE OR REPLACE VIEW {schema}.dead_in_consumer AS
SELECT 'consumer' AS station, l.consumer AS name, l.handler, l.event_id, l.id AS letter, l.domain, l.type, l.key, l.tenant,
  l.cause, l.reason, l.fingerprint, l.remedy, l.attempts, l.occurred_at AS at, l.seq AS place, false AS held,
  jsonb_build_object('station', 'consumer', 'consumer', l.consumer, 'handler', l.handler, 'domain', l.domain, 'type', l.type,
    'key', l.key, 'tenant', l.tenant, 'tenant_group', split_part(l.tenant, '/', 1), 'cause', l.cause, 'fingerprint', l.fingerprint) AS facts
FROM {schema}.dead_letter l
WHERE l.state = 'DEAD';

REVOKE ALL ON FUNCTION {schema}.is_tenant, {schema}.common_tenants FROM PUBLIC;
