-- Removes events that every route has published long ago, and what is only known of such.

-- The cursor of a lane as it was at a time: the newest checkpoint written by then, or where the route began.
CREATE FUNCTION {schema}.cursor_at(route smallint, lane smallint, at timestamptz) RETURNS {schema}.log_cursor
LANGUAGE plpgsql STABLE AS $$
DECLARE
  low    bigint := 0;
  high   bigint;
  middle bigint;
  probe  record;
  found  {schema}.log_cursor;
BEGIN
  SELECT c.n INTO high FROM {schema}.checkpoint c
  WHERE c.route = cursor_at.route AND c.lane = cursor_at.lane ORDER BY c.n DESC LIMIT 1;
  WHILE low <= high LOOP
    middle := low + (high - low) / 2;
    SELECT c.n, f.at, {schema}.cursor_of(c, f.snapshots) AS place INTO probe
    FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
    WHERE c.route = cursor_at.route AND c.lane = cursor_at.lane AND c.n >= middle
    ORDER BY c.n LIMIT 1;
    IF probe.n = 0 OR probe.at <= cursor_at.at THEN
      found := probe.place;
      low := probe.n + 1;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  RETURN found;
END
$$;

-- The next rows of a lane, and whether each may be removed: by visibility every live route's cursor covered it that long
-- ago, and nothing off the way still needs it. Without a live route nothing may be.
CREATE FUNCTION {schema}.prunable(lane smallint, after bigint, retention interval, chunk int)
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
  FROM (
    SELECT o.seq, o.ctid AS place, o.id, o.created_at, o.tx, o.key
    FROM {schema}.outbox o
    WHERE o.lane = prunable.lane AND o.seq > prunable.after
    ORDER BY o.seq
    LIMIT prunable.chunk
  ) AS next;
END
$$;

-- One step: looks at the next rows of a lane and removes those that may go, with their attempts. Whoever comes while
-- another one prunes removes nothing and is told so by a null. Locks nothing that a producer or a reader would wait for.
CREATE FUNCTION {schema}.prune(
  lane smallint, after bigint, retention interval, chunk int,
  OUT removed bigint, OUT seen bigint, OUT last_seq bigint, OUT last_created_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
  IF retention < interval '0' THEN
    RAISE EXCEPTION 'the retention is %', retention USING ERRCODE = 'invalid_parameter_value', HINT = 'It must not be negative.';
  END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN;
  END IF;
  WITH looked AS MATERIALIZED (
    SELECT p.* FROM {schema}.prunable(prune.lane, prune.after, prune.retention, prune.chunk) AS p
  ), gone AS (
    DELETE FROM {schema}.outbox o USING looked l WHERE l.may_go AND o.ctid = l.place RETURNING o.id
  ), attempts AS (
    DELETE FROM {schema}.attempt a USING gone g WHERE a.event_id = g.id
  )
  SELECT (SELECT count(*) FROM gone), count(*), max(looked.seq), max(looked.created_at)
  INTO removed, seen, last_seq, last_created_at
  FROM looked;
END
$$;

-- One step for the checkpoints of a lane: removes old ones that date no event which is still there. What an event's
-- first checkpoint was can still be told: it was written after the event was emitted. Returns how many were removed.
CREATE FUNCTION {schema}.compact(route smallint, lane smallint, retention interval, chunk int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  oldest  timestamptz;
  newest  bigint;
  removed bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN 0;
  END IF;
  SELECT c.n INTO newest FROM {schema}.checkpoint c
  WHERE c.route = compact.route AND c.lane = compact.lane ORDER BY c.n DESC LIMIT 1;
  -- Rows get their number shortly before their time, so the first ones are not surely in order: a minute is plenty.
  SELECT least(clock_timestamp() - compact.retention, min(first.created_at) - interval '1 minute') INTO oldest
  FROM (
    SELECT o.created_at FROM {schema}.outbox o
    WHERE o.lane = compact.lane
      AND NOT EXISTS (SELECT FROM {schema}.detour d WHERE d.route = compact.route AND d.seq = o.seq)
    ORDER BY o.seq LIMIT 1000
  ) AS first;
  DELETE FROM {schema}.checkpoint c
  USING (
    SELECT o.n, f.at
    FROM (
      SELECT c.n, c.flush FROM {schema}.checkpoint c
      WHERE c.route = compact.route AND c.lane = compact.lane AND c.n > 0 AND c.n < newest
      ORDER BY c.n LIMIT compact.chunk
    ) AS o
    JOIN {schema}.flush f ON f.id = o.flush
  ) AS old
  WHERE c.route = compact.route AND c.lane = compact.lane AND c.n = old.n AND old.at < oldest;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

-- One step for flushes: removes those older than any checkpoint but a lane's first and newest, which are looked at.
CREATE FUNCTION {schema}.compact_flushes(chunk int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  used    bigint[];
  bound   bigint;
  removed bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN 0;
  END IF;
  SELECT array_agg(ends.flush) INTO used
  FROM {schema}.lease l
  CROSS JOIN LATERAL (
    (SELECT c.flush FROM {schema}.checkpoint c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n LIMIT 1)
    UNION ALL
    (SELECT c.flush FROM {schema}.checkpoint c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1)
  ) AS ends;
  -- A lane whose only checkpoint beside the first is its newest bounds nothing: that one is among those used.
  SELECT min(second.flush) INTO bound
  FROM {schema}.lease l
  CROSS JOIN LATERAL (
    SELECT c.flush, c.n, lead(c.n) OVER (ORDER BY c.n) AS after FROM {schema}.checkpoint c
    WHERE c.route = l.route AND c.lane = l.lane AND c.n > 0 ORDER BY c.n LIMIT 2
  ) AS second
  WHERE second.after IS NOT NULL;
  bound := coalesce(bound, (SELECT f.id FROM {schema}.flush f ORDER BY f.id DESC LIMIT 1));
  DELETE FROM {schema}.flush f
  WHERE f.id IN (
    SELECT o.id FROM {schema}.flush o WHERE o.id < bound AND NOT o.id = ANY (used) ORDER BY o.id LIMIT compact_flushes.chunk);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

REVOKE ALL ON FUNCTION {schema}.cursor_at, {schema}.prunable, {schema}.prune, {schema}.compact, {schema}.compact_flushes
  FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.prune, {schema}.compact, {schema}.compact_flushes TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT EXECUTE ON FUNCTION {schema}.cursor_at, {schema}.prunable TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT EXECUTE ON FUNCTION {schema}.cursor_at, {schema}.prunable, {schema}.prune, {schema}.compact, {schema}.compact_flushes TO {role};
$operator$ WHERE kind = 'operator';
