-- What became of every event on every route.

-- When the lane's cursor first covered this row: the time of that checkpoint's flush, or null if none does yet.
--
-- A row is not covered as soon as the position passes its seq: one that committed late becomes visible to the cursor only
-- then, perhaps thousands of checkpoints on. But what is covered stays covered, so the first checkpoint can be found by
-- halving, each probe one lookup by (route, lane, n). The numbers may have gaps; a probe takes the next one there is.
CREATE FUNCTION {schema}.first_covered_at(route smallint, lane smallint, tx xid8, seq bigint) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
  low    bigint := 0;
  high   bigint;
  middle bigint;
  probe  record;
  found  timestamptz;
BEGIN
  SELECT c.n INTO high FROM {schema}.checkpoint c
  WHERE c.route = first_covered_at.route AND c.lane = first_covered_at.lane
  ORDER BY c.n DESC LIMIT 1;
  WHILE low <= high LOOP
    middle := low + (high - low) / 2;
    SELECT c.n, f.at, {schema}.covers({schema}.cursor_of(c, f.snapshots), first_covered_at.tx, first_covered_at.seq) AS covers
    INTO probe
    FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
    WHERE c.route = first_covered_at.route AND c.lane = first_covered_at.lane AND c.n >= middle
    ORDER BY c.n LIMIT 1;
    IF probe.covers THEN
      found := probe.at;
      high := middle - 1;
    ELSE
      low := probe.n + 1;
    END IF;
  END LOOP;
  RETURN found;
END
$$;

-- An event that an operator discarded has left the way without being sent; only this record still tells.
CREATE INDEX operator_action_discarded ON {schema}.operator_action (target, route) WHERE action = 'discard';

-- One row for each event and route that wants it. A route's checkpoint 0 is where it started: what that one covers is not the route's.
CREATE VIEW {schema}.outbox_status AS
SELECT
  o.id,
  r.name AS route,
  o.domain,
  o.type,
  o.key,
  o.lane,
  o.seq,
  o.created_at,
  way.state,
  CASE WHEN way.state = 'SENT' THEN {schema}.first_covered_at(r.id, o.lane, o.tx, o.seq) END AS published_at,
  CASE
    WHEN way.state = 'SENT' THEN 1 + (
      SELECT count(*)::int FROM {schema}.attempt a WHERE a.event_id = o.id AND a.route = r.id)
    ELSE coalesce(d.attempts, head.attempts, 0)
  END AS attempts,
  CASE
    WHEN d.kind IS NOT NULL THEN d.due
    WHEN way.state = 'DELAYED' THEN o.deliver_after
    ELSE head.next_attempt
  END AS next_attempt,
  left(CASE WHEN way.state <> 'SENT' THEN coalesce(d.last_error, head.last_error, discarded.note) END, 1024) AS last_error
FROM {schema}.outbox o
CROSS JOIN {schema}.route r
LEFT JOIN {schema}.checkpoint origin ON origin.route = r.id AND origin.lane = o.lane AND origin.n = 0
LEFT JOIN {schema}.flush origin_flush ON origin_flush.id = origin.flush
LEFT JOIN {schema}.detour d ON d.route = r.id AND d.seq = o.seq
LEFT JOIN {schema}.blocked_key b ON b.route = r.id AND b.lane = o.lane AND b.key = o.key
LEFT JOIN LATERAL (SELECT b.attempts, b.next_attempt, b.last_error WHERE b.head = o.seq) AS head ON true
LEFT JOIN LATERAL (
  SELECT {schema}.cursor_of(c, f.snapshots) AS cursor
  FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
  WHERE c.route = r.id AND c.lane = o.lane
  ORDER BY c.n DESC LIMIT 1
) AS newest ON true
LEFT JOIN LATERAL (
  SELECT 'discarded by ' || a.who || coalesce(': ' || a.reason, '') AS note
  FROM {schema}.operator_action a
  WHERE a.action = 'discard' AND a.target = o.id::text AND a.route = r.id
  LIMIT 1
) AS discarded ON true
CROSS JOIN LATERAL (
  SELECT CASE
    WHEN d.kind = 'FAILED' THEN 'FAILED'
    WHEN d.kind = 'SCHEDULED' THEN 'DELAYED'
    WHEN d.attempts > 0 THEN 'RETRYING'
    WHEN d.kind IS NOT NULL THEN 'PENDING'
    WHEN head.attempts > 0 THEN 'RETRYING'
    WHEN head.attempts = 0 THEN 'PENDING'
    -- An event with a time of its own goes by itself, so it does not wait for its key.
    WHEN b.key IS NOT NULL
      AND o.deliver_after IS NULL
      AND NOT {schema}.covers(b."from", o.tx, o.seq)
      AND NOT (o.seq <= b.passed AND {schema}.covers(b."to", o.tx, o.seq)) THEN 'PARKED'
    WHEN discarded.note IS NOT NULL THEN 'FAILED'
    WHEN {schema}.covers(newest.cursor, o.tx, o.seq) THEN 'SENT'
    WHEN o.deliver_after > now() THEN 'DELAYED'
    ELSE 'PENDING'
  END AS state
) AS way
WHERE (origin.n IS NULL OR NOT {schema}.covers({schema}.cursor_of(origin, origin_flush.snapshots), o.tx, o.seq))
  AND {schema}.wants(r, o.domain, o.type, o.tenant);
