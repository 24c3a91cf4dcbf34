-- Tells the archive when each route published what it takes.

-- The lane's first checkpoint on a route that covers this row, or null if none does yet. See first_covered_at.
CREATE FUNCTION {schema}.first_covering(route smallint, lane smallint, tx xid8, seq bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  low    bigint := 0;
  high   bigint;
  middle bigint;
  probe  record;
  found  bigint;
BEGIN
  SELECT c.n INTO high FROM {schema}.checkpoint c
  WHERE c.route = first_covering.route AND c.lane = first_covering.lane
  ORDER BY c.n DESC LIMIT 1;
  WHILE low <= high LOOP
    middle := low + (high - low) / 2;
    SELECT c.n, {schema}.covers({schema}.cursor_of(c, f.snapshots), first_covering.tx, first_covering.seq) AS covers
    INTO probe
    FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
    WHERE c.route = first_covering.route AND c.lane = first_covering.lane AND c.n >= middle
    ORDER BY c.n LIMIT 1;
    IF probe.covers THEN
      found := probe.n;
      high := middle - 1;
    ELSE
      low := probe.n + 1;
    END IF;
  END LOOP;
  RETURN found;
END
$$;

-- When each route published these events of a lane: what outbox_status says, for many at once. In the order of their seqs
-- most are covered by the same checkpoint as the one before, or by the next; only for the others is it searched.
CREATE FUNCTION {schema}.published(lane smallint, ids uuid[]) RETURNS TABLE (id uuid, route text, at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  way    {schema}.route;
  origin {schema}.log_cursor;
  event  record;
  before {schema}.log_cursor; -- of the checkpoint before the newest one found
  probe  record;              -- the newest one found, if n is not null
BEGIN
  FOR way IN SELECT r.* FROM {schema}.route r ORDER BY r.name LOOP
    SELECT {schema}.cursor_of(c, f.snapshots) AS place INTO probe
    FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
    WHERE c.route = way.id AND c.lane = published.lane AND c.n = 0;
    CONTINUE WHEN NOT FOUND;
    origin := probe.place;
    SELECT NULL::bigint AS n, NULL::{schema}.log_cursor AS place, NULL::timestamptz AS at INTO probe;
    FOR event IN
      SELECT o.id, o.tx, o.seq
      FROM unnest(ids) AS asked (id) JOIN {schema}.outbox o ON o.id = asked.id
      WHERE o.lane = published.lane
        AND {schema}.wants(way, o.domain, o.type, o.tenant)
        AND NOT {schema}.covers(origin, o.tx, o.seq)
        AND NOT EXISTS (SELECT FROM {schema}.detour d WHERE d.route = way.id AND d.seq = o.seq)
        AND NOT EXISTS (
          SELECT FROM {schema}.blocked_key b
          WHERE b.route = way.id AND b.lane = o.lane AND b.key = o.key AND NOT {schema}.covers(b."from", o.tx, o.seq))
        AND NOT EXISTS (
          SELECT FROM {schema}.operator_action a
          WHERE a.action = 'discard' AND a.target = o.id::text AND a.route = way.id)
      ORDER BY o.seq
    LOOP
      IF probe.n IS NOT NULL AND NOT {schema}.covers(probe.place, event.tx, event.seq) THEN
        before := probe.place;
        SELECT c.n, {schema}.cursor_of(c, f.snapshots) AS place, f.at INTO probe
        FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
        WHERE c.route = way.id AND c.lane = published.lane AND c.n > probe.n
        ORDER BY c.n LIMIT 1;
      END IF;
      IF probe.n IS NULL
        OR NOT {schema}.covers(probe.place, event.tx, event.seq)
        OR {schema}.covers(before, event.tx, event.seq)
      THEN
        SELECT c.n, {schema}.cursor_of(c, f.snapshots) AS place, f.at INTO probe
        FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
        WHERE c.route = way.id AND c.lane = published.lane
          AND c.n = (SELECT {schema}.first_covering(way.id, published.lane, event.tx, event.seq));
        CONTINUE WHEN NOT FOUND;
        before := (
          SELECT {schema}.cursor_of(c, f.snapshots)
          FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
          WHERE c.route = way.id AND c.lane = published.lane AND c.n < probe.n
          ORDER BY c.n DESC LIMIT 1);
      END IF;
      published.at := probe.at;
      published.route := way.name;
      published.id := event.id;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END
$$;

REVOKE ALL ON FUNCTION {schema}.first_covering, {schema}.published FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.published TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT EXECUTE ON FUNCTION {schema}.published TO {role};
$operator$ WHERE kind = 'operator';
