-- After a dump was restored into another cluster: notices it, and makes the log go on where it was.
--
-- Rows and cursors hold transaction ids of the cluster they were written in. Among themselves they stay right wherever they
-- are taken, so they are left as they are. What has to be right is that all of them look older than whatever comes: rebase
-- adds a constant to the ids of the new cluster, in the two places where they enter the log, "tx" and current_snapshot().

-- home: where this row was written; see is_home. lane_probe: which lanes some keys had then. xid_shift: see above.
ALTER TABLE {schema}.log
  ADD COLUMN home       text   NOT NULL DEFAULT '',
  ADD COLUMN lane_probe text   NOT NULL DEFAULT '',
  ADD COLUMN xid_shift  bigint NOT NULL DEFAULT 0;

-- The snapshot of the statement that asks, in the log's ids. As long as those are the cluster's this is inlined and costs
-- nothing; rebase replaces it.
CREATE FUNCTION {schema}.current_snapshot() RETURNS pg_snapshot
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT pg_current_snapshot()
$$;

-- Whether the log lies where its row was written: by the same transaction, in the same table. A restored row was written by
-- the transaction that restored it. pg_upgrade, a base backup and a promoted standby keep both, and keep the transaction ids.
-- Whatever else changes this row must call mark_home.
CREATE FUNCTION {schema}.is_home() RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT l.home = l.xmin::text || '/' || l.tableoid::text FROM {schema}.log l), false)
$$;

-- Two updates, because only a row that is there tells who wrote it: in a subtransaction that is another id than the
-- transaction's.
CREATE FUNCTION {schema}.mark_home() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE {schema}.log l SET home = '';
  UPDATE {schema}.log l SET home = l.xmin::text || '/' || l.tableoid::text;
END
$$;

-- Which lanes some keys and ids have here. Another encoding gives other keys other bytes.
CREATE FUNCTION {schema}.lane_probe() RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT getdatabaseencoding() || ' ' || string_agg(
    {schema}.lane_of('key ' || i, NULL) || ',' || {schema}.lane_of(NULL, md5(i::text)::uuid), ' ' ORDER BY i)
  FROM generate_series(1, 64) AS i
$$;

-- Where every lane of a route stands.
CREATE FUNCTION {schema}.newest_cursors(of_route smallint) RETURNS TABLE (lane smallint, n bigint, cursor {schema}.log_cursor)
LANGUAGE sql STABLE AS $$
  SELECT l.lane, newest.n, newest.cursor
  FROM {schema}.lease l
  CROSS JOIN LATERAL (
    SELECT c.n, {schema}.cursor_of(c, f.snapshots) AS cursor
    FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
    WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
  ) AS newest
  WHERE l.route = of_route
$$;

-- The highest transaction id that a row or a cursor knows of.
CREATE FUNCTION {schema}.newest_known_xid() RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT greatest(
    (SELECT max(last.tx) FROM {schema}.log l CROSS JOIN generate_series(0, l.lanes - 1) AS lane CROSS JOIN LATERAL (
      SELECT o.tx::text::bigint AS tx FROM {schema}.outbox o WHERE o.lane = lane::smallint ORDER BY o.tx DESC, o.seq DESC LIMIT 1
    ) AS last),
    (SELECT max(pg_snapshot_xmax(coalesce((c.cursor).pin, (c.cursor).snapshot))::text::bigint) - 1
     FROM {schema}.route r CROSS JOIN {schema}.newest_cursors(r.id) AS c),
    0)
$$;

-- Why this log needs a rebase. moved: it was restored here. ahead: it knows transaction ids that the cluster has not had
-- yet. lanes_moved: its keys have other lanes here than where it comes from.
CREATE FUNCTION {schema}.rebase_needs(OUT moved boolean, OUT ahead boolean, OUT lanes_moved boolean)
LANGUAGE sql STABLE AS $$
  SELECT NOT {schema}.is_home(),
         {schema}.newest_known_xid() >= pg_snapshot_xmax({schema}.current_snapshot())::text::bigint,
         (SELECT l.lane_probe <> {schema}.lane_probe() FROM {schema}.log l)
$$;

-- What every lane of a route has surely read: the rows that all of its lanes' cursors cover.
CREATE FUNCTION {schema}.common_cursor(route smallint) RETURNS {schema}.log_cursor
LANGUAGE sql STABLE AS $$
  WITH newest AS (
    SELECT (c.cursor).snapshot, (c.cursor).position FROM {schema}.newest_cursors(common_cursor.route) AS c
  ), low AS (
    SELECT min(pg_snapshot_xmax(n.snapshot)::text::bigint) AS xmax, min(n.position) AS position FROM newest n
  ), running AS (
    SELECT DISTINCT x::text::bigint AS x FROM newest n CROSS JOIN pg_snapshot_xip(n.snapshot) AS x
  )
  SELECT ROW(
    (coalesce(min(r.x), low.xmax) || ':' || low.xmax || ':' || coalesce(string_agg(r.x::text, ',' ORDER BY r.x), ''))::pg_snapshot,
    low.position, NULL, NULL)::{schema}.log_cursor
  FROM low LEFT JOIN running r ON r.x < low.xmax
  GROUP BY low.xmax, low.position
$$;

-- Adds a constant to the cluster's transaction ids, so that every one to come is above all that the log knows.
-- The outbox is locked: no row with an id as it was before is still uncommitted.
CREATE FUNCTION {schema}.shift_xids() RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  space  text := (SELECT c.relnamespace::regnamespace::text FROM pg_class c WHERE c.oid = (SELECT l.tableoid FROM {schema}.log l));
  known  bigint := {schema}.newest_known_xid();
  oldest bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  shift  bigint := (SELECT l.xid_shift FROM {schema}.log l);
BEGIN
  IF oldest + shift > known THEN
    RETURN shift;
  END IF;
  shift := known + 1 - oldest;
  EXECUTE format(
    'ALTER TABLE %s.outbox ALTER COLUMN tx SET DEFAULT (pg_current_xact_id()::text::bigint + %s)::text::xid8', space, shift);
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION %s.current_snapshot() RETURNS pg_snapshot LANGUAGE sql STABLE PARALLEL SAFE AS %L',
    space, format(
      'SELECT concat(pg_snapshot_xmin(s)::text::bigint + %1$s, '':'', pg_snapshot_xmax(s)::text::bigint + %1$s, '':'','
      ' (SELECT string_agg((x::text::bigint + %1$s)::text, '','') FROM pg_snapshot_xip(s) AS x))::pg_snapshot'
      ' FROM pg_current_snapshot() AS s', shift));
  UPDATE {schema}.log l SET xid_shift = shift;
  RETURN shift;
END
$$;

-- Lets every lane of a route begin again where all of them surely were, because nobody knows in which one a row was before.
-- Nothing unread is lost and keys stay in order; repeated is how many events may have been published already. Blocked keys
-- and detours move to where their keys are now. A detour that the lane will come by again goes, unless its key is
-- blocked: the lane passes all of those. Older checkpoints told of other rows and go too, but the first, which is the same
-- for all lanes.
CREATE FUNCTION {schema}.regather(of_route smallint, OUT repeated bigint, OUT forgotten bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  common {schema}.log_cursor := {schema}.common_cursor(of_route);
  before {schema}.log_cursor[];
  made   bigint;
BEGIN
  SELECT array_agg(c.cursor) INTO before FROM {schema}.newest_cursors(of_route) AS c;
  SELECT count(*) INTO repeated
  FROM {schema}.outbox o JOIN {schema}.route r ON r.id = of_route
  WHERE NOT {schema}.covers(common, o.tx, o.seq)
    AND {schema}.wants(r, o.domain, o.type, o.tenant)
    AND EXISTS (SELECT FROM unnest(before) AS b WHERE {schema}.covers(b, o.tx, o.seq));

  INSERT INTO {schema}.flush (relay, snapshots) VALUES ('rebase', ARRAY[common.snapshot]) RETURNING id INTO made;
  WITH newest AS (
    SELECT c.lane, c.n FROM {schema}.newest_cursors(of_route) AS c
  ), gone AS (
    DELETE FROM {schema}.checkpoint c WHERE c.route = of_route AND c.n > 0
  )
  INSERT INTO {schema}.checkpoint (route, lane, n, flush, position, snapshot)
  SELECT of_route, n.lane, n.n + 1, made, common.position, 1 FROM newest n;

  UPDATE {schema}.blocked_key b SET lane = {schema}.lane_of(b.key, NULL) WHERE b.route = of_route;
  UPDATE {schema}.detour d SET lane = o.lane FROM {schema}.outbox o WHERE d.route = of_route AND o.id = d.event_id;
  DELETE FROM {schema}.detour d USING {schema}.outbox o
  WHERE d.route = of_route AND o.id = d.event_id AND NOT {schema}.covers(common, o.tx, o.seq)
    AND NOT EXISTS (SELECT FROM {schema}.blocked_key b WHERE b.route = of_route AND b.key = d.key);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
END
$$;

-- How much of a route is not read, by its newest checkpoints.
CREATE FUNCTION {schema}.unread(of_route smallint) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT count(*)
  FROM {schema}.route r
  CROSS JOIN {schema}.newest_cursors(r.id) AS newest
  JOIN {schema}.outbox o ON o.lane = newest.lane
    AND (o.seq > (newest.cursor).position OR o.tx >= pg_snapshot_xmin((newest.cursor).snapshot))
  WHERE r.id = of_route
    AND {schema}.wants(r, o.domain, o.type, o.tenant)
    AND NOT {schema}.covers(newest.cursor, o.tx, o.seq)
$$;

-- Makes a log that was restored here go on where it was, and tells for each route how much it will publish. Changes nothing
-- and answers no row if the log is at home. Refuses while relays hold lanes. Waits ten seconds for who uses the outbox.
CREATE FUNCTION {schema}.rebase(reason text)
RETURNS TABLE (route text, unread bigint, blocked_keys bigint, repeated bigint, forgotten bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '10s' AS $$
DECLARE
  needs record;
  alive text;
  until timestamptz;
  each  record;
  shift bigint;
BEGIN
  PERFORM FROM {schema}.lease l FOR UPDATE;
  SELECT string_agg(DISTINCT l.owner || ' of route ' || r.name, ', '), max(l.expires_at) INTO alive, until
  FROM {schema}.lease l JOIN {schema}.route r ON r.id = l.route
  WHERE l.owner IS NOT NULL AND l.expires_at > clock_timestamp();
  IF alive IS NOT NULL THEN
    RAISE EXCEPTION 'relays hold lanes: %', alive USING
      ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('Stop them. If they ran in another cluster, their leases end here at %s.', until);
  END IF;
  LOCK TABLE {schema}.outbox IN ACCESS EXCLUSIVE MODE;
  SELECT * INTO needs FROM {schema}.rebase_needs();
  IF NOT (needs.moved OR needs.ahead OR needs.lanes_moved) THEN
    RETURN;
  END IF;

  shift := {schema}.shift_xids();
  PERFORM setval(last.tableoid::regclass, known.seq)
  FROM {schema}.outbox_seq_seq last
  CROSS JOIN (
    SELECT greatest((SELECT max(o.seq) FROM {schema}.outbox o), (SELECT max(c.position) FROM {schema}.checkpoint c)) AS seq
  ) AS known
  WHERE known.seq > last.last_value;
  UPDATE {schema}.lease l SET owner = NULL, epoch = l.epoch + 1, expires_at = '-infinity';
  DELETE FROM {schema}.relay;

  IF needs.lanes_moved THEN
    UPDATE {schema}.outbox o SET lane = {schema}.lane_of(o.key, o.id) WHERE o.lane <> {schema}.lane_of(o.key, o.id);
  END IF;
  FOR each IN SELECT r.id, r.name FROM {schema}.route r ORDER BY r.name LOOP
    repeated := 0;
    forgotten := 0;
    IF needs.lanes_moved THEN
      SELECT g.repeated, g.forgotten INTO repeated, forgotten FROM {schema}.regather(each.id) AS g;
    END IF;
    route := each.name;
    unread := {schema}.unread(each.id);
    blocked_keys := (SELECT count(*) FROM {schema}.blocked_key b WHERE b.route = each.id);
    INSERT INTO {schema}.operator_action (action, route, target, reason, rows)
    VALUES ('rebase', each.id, each.name, rebase.reason, unread);
    RETURN NEXT;
  END LOOP;
  UPDATE {schema}.log l SET lane_probe = {schema}.lane_probe();
  PERFORM {schema}.mark_home();
  INSERT INTO {schema}.operator_action (action, target, reason, rows)
  VALUES ('rebase', format('log: transaction ids shifted by %s, lanes %s', shift,
    CASE WHEN needs.lanes_moved THEN 'moved' ELSE 'as they were' END), rebase.reason, 1);
END
$$;

UPDATE {schema}.log SET lane_probe = {schema}.lane_probe();
SELECT {schema}.mark_home();

REVOKE ALL ON FUNCTION
  {schema}.current_snapshot, {schema}.is_home, {schema}.mark_home, {schema}.lane_probe,
  {schema}.newest_cursors, {schema}.newest_known_xid, {schema}.rebase_needs, {schema}.common_cursor, {schema}.shift_xids, {schema}.regather,
  {schema}.unread, {schema}.rebase
FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.current_snapshot, {schema}.is_home TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT EXECUTE ON FUNCTION
  {schema}.current_snapshot, {schema}.is_home, {schema}.lane_of, {schema}.lane_probe, {schema}.newest_cursors,
  {schema}.newest_known_xid, {schema}.rebase_needs TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT EXECUTE ON FUNCTION
  {schema}.current_snapshot, {schema}.is_home, {schema}.lane_of, {schema}.lane_probe, {schema}.newest_cursors,
  {schema}.newest_known_xid, {schema}.rebase_needs, {schema}.rebase TO {role};
$operator$ WHERE kind = 'operator';
