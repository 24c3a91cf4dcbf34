-- Publishes again what was published: a bounded cursor over the log, or over an archive.

-- Of domains, types, aggregate_types, keys and tenants null means all; "from" and "to" are of created_at. What a replay from
-- the log takes is fixed by snapshot and "end": rows that the snapshot sees, up to that seq. What is at or below position is
-- done. One process at a time has it, until expires_at; whatever it writes names its epoch.
CREATE TABLE {schema}.replay (
  id              uuid        PRIMARY KEY DEFAULT {schema}.uuid_v7(),
  target_kind     text        NOT NULL CHECK (target_kind IN ('route', 'consumer')),
  target          text        NOT NULL CHECK (target <> ''),
  domains         text[]      CHECK (domains <> '{}'),
  types           text[]      CHECK (types <> '{}'),
  aggregate_types text[]      CHECK (aggregate_types <> '{}'),
  keys            text[]      COLLATE "C" CHECK (keys <> '{}'),
  tenants         text[]      CHECK (tenants <> '{}'),
  "from"          timestamptz,
  "to"            timestamptz,
  folder          text,
  volumes         text[],
  snapshot        pg_snapshot,
  rate            int         CHECK (rate > 0),
  state           text        NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'DONE', 'CANCELLED', 'FAILED')),
  position        bigint      NOT NULL DEFAULT 0,
  "end"           bigint      NOT NULL,
  done            bigint      NOT NULL DEFAULT 0,
  "of"            bigint,
  owner           text,
  epoch           bigint      NOT NULL DEFAULT 0,
  expires_at      timestamptz NOT NULL DEFAULT '-infinity',
  who             text        NOT NULL DEFAULT session_user,
  reason          text,
  fault           text,
  started_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((folder IS NULL) = (snapshot IS NOT NULL)),
  CHECK ((folder IS NULL) = (volumes IS NULL))
) WITH (fillfactor = 50);

-- A replay that is RUNNING is looked for; one that is RUNNING or FAILED keeps its events from being removed.
CREATE INDEX replay_open ON {schema}.replay (target_kind, target, started_at) WHERE state IN ('RUNNING', 'FAILED');

-- What was decided about one event.
CREATE INDEX operator_action_target ON {schema}.operator_action (target);

-- Whether a replay selects an event. One that asked for a later time than the replay's start was published by nobody yet.
CREATE FUNCTION {schema}.replays(
  r {schema}.replay, domain text, type text, aggregate_type text, key text, tenant text,
  created_at timestamptz, deliver_after timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    (r.domains IS NULL OR domain = ANY (r.domains))
    AND (r.types IS NULL OR type = ANY (r.types))
    AND (r.aggregate_types IS NULL OR aggregate_type = ANY (r.aggregate_types))
    AND (r.keys IS NULL OR key COLLATE "C" = ANY (r.keys))
    AND (r.tenants IS NULL OR tenant = ANY (r.tenants))
    AND (r."from" IS NULL OR created_at >= r."from")
    AND (r."to" IS NULL OR created_at < r."to")
    AND (deliver_after IS NULL OR deliver_after <= r.started_at), false)
$$;

-- What both ask for: null asks for all.
CREATE FUNCTION {schema}.common_values(a text[], b text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN a IS NULL THEN b WHEN b IS NULL THEN a
    ELSE ARRAY(SELECT unnest(a) INTERSECT SELECT unnest(b)) END
$$;

-- How many rows of the log a replay selects. Reads the whole log unless the replay has keys.
CREATE FUNCTION {schema}.count_replay(r {schema}.replay) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF r.keys IS NOT NULL THEN
    RETURN (
      SELECT count(*) FROM {schema}.outbox o
      WHERE o.key = ANY (r.keys) AND o.seq <= r."end" AND pg_visible_in_snapshot(o.tx, r.snapshot)
        AND {schema}.replays(r, o.domain, o.type, o.aggregate_type, o.key, o.tenant, o.created_at, o.deliver_after));
  END IF;
  RETURN (
    SELECT count(*) FROM {schema}.outbox o
    WHERE o.seq <= r."end" AND pg_visible_in_snapshot(o.tx, r.snapshot)
      AND {schema}.replays(r, o.domain, o.type, o.aggregate_type, o.key, o.tenant, o.created_at, o.deliver_after));
END
$$;

-- Starts a replay and returns its id. From the log: of what is committed now; with counted, how many that are is found out
-- first, which may take long. From an archive: of these volumes of that folder, up to last_seq, which are size events. A
-- replay into a route takes nothing that the route does not want. Waits for a pruner's step, so that what is counted is kept.
CREATE FUNCTION {schema}.start_replay(
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

-- Ends a replay that is RUNNING or FAILED, for ever; what it has published stays published.
CREATE FUNCTION {schema}.cancel_replay(replay uuid, reason text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  published bigint;
BEGIN
  UPDATE {schema}.replay r
  SET state = 'CANCELLED', owner = NULL, epoch = r.epoch + 1, expires_at = '-infinity', changed_at = clock_timestamp()
  WHERE r.id = cancel_replay.replay AND r.state IN ('RUNNING', 'FAILED')
  RETURNING r.done INTO published;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'replay % is not RUNNING or FAILED', cancel_replay.replay USING
      ERRCODE = 'no_data_found', HINT = 'Look at the table replay for its state.';
  END IF;
  INSERT INTO {schema}.operator_action (action, target, reason, rows)
  VALUES ('cancel replay', cancel_replay.replay::text, cancel_replay.reason, published);
END
$$;

-- Lets a replay that is FAILED go on where it was.
CREATE FUNCTION {schema}.resume_replay(replay uuid, reason text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  published bigint;
BEGIN
  UPDATE {schema}.replay r
  SET state = 'RUNNING', fault = NULL, owner = NULL, expires_at = '-infinity', changed_at = clock_timestamp()
  WHERE r.id = resume_replay.replay AND r.state = 'FAILED'
  RETURNING r.done INTO published;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'replay % is not FAILED', resume_replay.replay USING
      ERRCODE = 'no_data_found', HINT = 'Look at the table replay for its state.';
  END IF;
  INSERT INTO {schema}.operator_action (action, target, reason, rows)
  VALUES ('resume replay', resume_replay.replay::text, resume_replay.reason, published);
END
$$;

-- Whether an operator has stopped the route or the consumer of a replay.
CREATE FUNCTION {schema}.is_paused(r {schema}.replay) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT CASE r.target_kind
    WHEN 'route' THEN NOT EXISTS (
      SELECT FROM {schema}.route w WHERE w.name = r.target AND w.paused_at IS NULL AND w.retired_at IS NULL)
    ELSE EXISTS (SELECT FROM {schema}.consumer c WHERE c.name = r.target AND c.paused_at IS NOT NULL) END
$$;

-- Takes the oldest RUNNING replay of a target that is nobody else's; no row if there is none.
CREATE FUNCTION {schema}.claim_replay(target_kind text, target text, owner text, ttl interval) RETURNS SETOF {schema}.replay
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
  UPDATE {schema}.replay r
  SET owner = claim_replay.owner, epoch = r.epoch + 1, expires_at = clock_timestamp() + ttl
  WHERE r.id = (
    SELECT free.id FROM {schema}.replay free
    WHERE free.target_kind = claim_replay.target_kind AND free.target = claim_replay.target
      AND free.state = 'RUNNING'
      AND (free.owner = claim_replay.owner OR free.expires_at < clock_timestamp())
      AND NOT {schema}.is_paused(free)
    ORDER BY free.started_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED)
  RETURNING r.*
$$;

-- The next events of a replay from the log, after a seq: first how far this page reaches, then the events; no row if the
-- claim is lost. Of each lane, or of each key if the replay names some, so many rows are looked at, whether they are
-- selected or not: what a page costs does not depend on how rare the selected ones are.
CREATE FUNCTION {schema}.replay_page(replay uuid, epoch bigint, after bigint, events int, bytes bigint)
RETURNS TABLE (reach bigint, event {schema}.outbox)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  looked CONSTANT int := 1000;
  mine  {schema}.replay;
  lanes smallint[];
  seqs  bigint[];
  bound bigint;
BEGIN
  SELECT r.* INTO mine FROM {schema}.replay r
  WHERE r.id = replay_page.replay AND r.epoch = replay_page.epoch AND r.state = 'RUNNING' AND r.snapshot IS NOT NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF mine.keys IS NULL THEN
    WITH next AS MATERIALIZED (
      SELECT lane::smallint AS lane, n.seq
      FROM {schema}.log l CROSS JOIN generate_series(0, l.lanes - 1) AS lane CROSS JOIN LATERAL (
        SELECT o.seq FROM {schema}.outbox o
        WHERE o.lane = lane::smallint AND o.seq > replay_page.after AND o.seq <= mine."end"
        ORDER BY o.seq LIMIT looked
      ) AS n
    ), upto AS (
      SELECT coalesce(min(e.last) FILTER (WHERE e.rows = looked), mine."end") AS seq
      FROM (SELECT max(n.seq) AS last, count(*) AS rows FROM next n GROUP BY n.lane) AS e
    )
    SELECT upto.seq, array_agg(n.lane ORDER BY n.seq), array_agg(n.seq ORDER BY n.seq) INTO bound, lanes, seqs
    FROM upto LEFT JOIN next n ON n.seq <= upto.seq GROUP BY upto.seq;
  ELSE
    WITH next AS MATERIALIZED (
      SELECT k.key, {schema}.lane_of(k.key, NULL) AS lane, n.seq
      FROM (SELECT DISTINCT unnest(mine.keys) AS key) AS k CROSS JOIN LATERAL (
        SELECT o.seq FROM {schema}.outbox o
        WHERE o.key = k.key COLLATE "C" AND o.seq > replay_page.after AND o.seq <= mine."end"
        ORDER BY o.seq LIMIT looked
      ) AS n
    ), upto AS (
      SELECT coalesce(min(e.last) FILTER (WHERE e.rows = looked), mine."end") AS seq
      FROM (SELECT max(n.seq) AS last, count(*) AS rows FROM next n GROUP BY n.key) AS e
    )
    SELECT upto.seq, array_agg(n.lane ORDER BY n.seq), array_agg(n.seq ORDER BY n.seq) INTO bound, lanes, seqs
    FROM upto LEFT JOIN next n ON n.seq <= upto.seq GROUP BY upto.seq;
  END IF;
  RETURN QUERY
  WITH found AS MATERIALIZED (
    SELECT n.lane, n.seq, o.size
    FROM (SELECT u.lane, u.seq FROM unnest(lanes, seqs) AS u (lane, seq) ORDER BY u.seq) AS n CROSS JOIN LATERAL (
      SELECT octet_length(o.payload) AS size FROM {schema}.outbox o
      WHERE o.lane = n.lane AND o.seq = n.seq AND pg_visible_in_snapshot(o.tx, mine.snapshot)
        AND {schema}.replays(mine, o.domain, o.type, o.aggregate_type, o.key, o.tenant, o.created_at, o.deliver_after)
    ) AS o
    ORDER BY n.seq
    LIMIT replay_page.events
  ), chosen AS MATERIALIZED (
    SELECT f.lane, f.seq FROM (
      SELECT f.lane, f.seq, row_number() OVER (ORDER BY f.seq) AS n, sum(f.size) OVER (ORDER BY f.seq) AS total
      FROM found f
    ) AS f
    WHERE f.n = 1 OR f.total <= replay_page.bytes
  )
  SELECT CASE WHEN count(*) = replay_page.events OR count(*) < (SELECT count(*) FROM found) THEN max(c.seq) ELSE bound END,
    NULL::{schema}.outbox
  FROM chosen c
  UNION ALL
  SELECT e.reach, e.event FROM (
    SELECT NULL::bigint AS reach, o AS event
    FROM (SELECT c.lane, c.seq FROM chosen c ORDER BY c.seq) AS c
    JOIN {schema}.outbox o ON o.lane = c.lane AND o.seq = c.seq
    ORDER BY c.seq
  ) AS e;
END
$$;

-- Writes a checkpoint and keeps the claim. HELD, or PAUSED if nothing more is to be published now; null if the replay is
-- cancelled, or another one's, or was not where the caller thinks.
CREATE FUNCTION {schema}.advance_replay(
  replay uuid, epoch bigint, from_position bigint, to_position bigint, published bigint, ttl interval) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  UPDATE {schema}.replay r
  SET position = to_position, done = r.done + published, expires_at = clock_timestamp() + ttl, changed_at = clock_timestamp()
  WHERE r.id = advance_replay.replay AND r.epoch = advance_replay.epoch AND r.state = 'RUNNING'
    AND r.position = from_position AND to_position >= from_position
  RETURNING CASE WHEN {schema}.is_paused(r) THEN 'PAUSED' ELSE 'HELD' END
$$;

-- Ends a replay: DONE without a fault, else FAILED. False if the claim is lost.
CREATE FUNCTION {schema}.finish_replay(replay uuid, epoch bigint, fault text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.replay r
  SET state = CASE WHEN finish_replay.fault IS NULL THEN 'DONE' ELSE 'FAILED' END, fault = left(finish_replay.fault, 1024),
    owner = NULL, expires_at = '-infinity', changed_at = clock_timestamp()
  WHERE r.id = finish_replay.replay AND r.epoch = finish_replay.epoch AND r.state = 'RUNNING'
    AND (finish_replay.fault IS NOT NULL OR r.position = r."end");
  RETURN FOUND;
END
$$;

-- Gives a replay back, for whoever comes next.
CREATE FUNCTION {schema}.release_replay(replay uuid, epoch bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.replay r SET owner = NULL, expires_at = '-infinity'
  WHERE r.id = release_replay.replay AND r.epoch = release_replay.epoch AND r.state = 'RUNNING';
  RETURN FOUND;
END
$$;

-- As before, and nothing may go that a replay from the log still has to publish. One that is FAILED may be resumed.
CREATE OR REPLACE FUNCTION {schema}.prunable(lane smallint, after bigint, retention interval, chunk int)
RETURNS TABLE (seq bigint, place tid, id uuid, created_at timestamptz, may_go boolean)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  live   smallint[];
  passed {schema}.log_cursor[];
BEGIN
  SELECT array_agg(r.id), array_agg({schema}.cursor_at(r.id, prunable.lane, clock_timestamp() - retention))
  INTO live, passed
  FROM {schema}.route r WHERE r.retired_at IS NULL;
  RETURN QUERY
  SELECT next.seq, next.place, next.id, next.created_at,
    live IS NOT NULL
    AND coalesce((SELECT bool_and({schema}.covers(p, next.tx, next.seq)) FROM unnest(passed) AS p), false)
    AND NOT EXISTS (SELECT FROM {schema}.detour d WHERE d.route = ANY (live) AND d.seq = next.seq)
    AND NOT EXISTS (
      SELECT FROM {schema}.blocked_key b
      WHERE b.route = ANY (live) AND b.lane = prunable.lane AND b.key = next.key
        AND NOT {schema}.covers(b."from", next.tx, next.seq))
    AND NOT EXISTS (
      SELECT FROM {schema}.replay p
      WHERE p.state IN ('RUNNING', 'FAILED') AND p.position < next.seq AND p."end" >= next.seq
        AND pg_visible_in_snapshot(next.tx, p.snapshot)
        AND {schema}.replays(p, next.domain, next.type, next.aggregate_type, next.key, next.tenant,
          next.created_at, next.deliver_after))
  FROM (
    SELECT o.seq, o.ctid AS place, o.id, o.created_at, o.tx, o.key, o.domain, o.type, o.aggregate_type, o.tenant,
      o.deliver_after
    FROM {schema}.outbox o
    WHERE o.lane = prunable.lane AND o.seq > prunable.after
    ORDER BY o.seq
    LIMIT prunable.chunk
  ) AS next;
END
$$;

REVOKE ALL ON {schema}.replay FROM PUBLIC;
REVOKE ALL ON FUNCTION
  {schema}.replays, {schema}.common_values, {schema}.count_replay, {schema}.start_replay, {schema}.cancel_replay,
  {schema}.resume_replay, {schema}.is_paused, {schema}.claim_replay, {schema}.replay_page, {schema}.advance_replay,
  {schema}.finish_replay, {schema}.release_replay
FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.claim_replay, {schema}.replay_page, {schema}.advance_replay,
  {schema}.finish_replay, {schema}.release_replay TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION {schema}.claim_replay, {schema}.replay_page, {schema}.advance_replay,
  {schema}.finish_replay, {schema}.release_replay TO {role};
$consumer$ WHERE kind = 'consumer';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.replay TO {role};
GRANT EXECUTE ON FUNCTION {schema}.replays TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.replay TO {role};
GRANT EXECUTE ON FUNCTION {schema}.replays, {schema}.start_replay, {schema}.cancel_replay, {schema}.resume_replay TO {role};
$operator$ WHERE kind = 'operator';
