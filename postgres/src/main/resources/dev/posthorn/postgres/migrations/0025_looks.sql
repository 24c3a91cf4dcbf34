-- Looks at a log that is large, and of which much is dead, cost no more than at a small one.

-- What a dead event of a route is found by lies in its own row. Whoever counts, groups or searches what is dead then neither
-- looks each event up in the log nor works its fingerprint out again; and it is known also after the event is pruned.

ALTER TABLE {schema}.detour
  ADD COLUMN domain      text,
  ADD COLUMN type        text,
  ADD COLUMN tenant      text,
  ADD COLUMN fingerprint text;

-- With the rights of the owner: a relay may read the log, but need not know how reasons are compared.
CREATE FUNCTION {schema}.describe_dead() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  NEW.fingerprint := {schema}.fingerprint(coalesce(NEW.last_error, ''));
  IF NEW.type IS NULL THEN
    SELECT o.domain, o.type, o.tenant INTO NEW.domain, NEW.type, NEW.tenant
    FROM {schema}.outbox o WHERE o.id = NEW.event_id;
  END IF;
  RETURN NEW;
END
$$;

REVOKE ALL ON FUNCTION {schema}.describe_dead FROM PUBLIC;

CREATE TRIGGER detour_describe_dead BEFORE INSERT OR UPDATE ON {schema}.detour
FOR EACH ROW WHEN (NEW.kind = 'FAILED') EXECUTE FUNCTION {schema}.describe_dead();

UPDATE {schema}.detour SET kind = kind WHERE kind = 'FAILED';

CREATE OR REPLACE VIEW {schema}.dead_on_route AS
SELECT 'route' AS station, r.name AS name, '' AS handler, d.event_id, d.event_id AS letter, d.domain, d.type, d.key, d.tenant,
  'publish-failed' AS cause, coalesce(d.last_error, '') AS reason, d.fingerprint,
  'See why the destination did not take it. Mend that, then redrive; or discard it if nobody needs it.' AS remedy,
  d.attempts, d.changed_at AS at, d.seq AS place,
  coalesce((SELECT b.held AND b.head = d.seq FROM {schema}.blocked_key b
    WHERE b.route = d.route AND b.lane = d.lane AND b.key = d.key), false) AS held,
  jsonb_build_object('station', 'route', 'route', r.name, 'domain', d.domain, 'type', d.type, 'key', d.key, 'tenant', d.tenant,
    'cause', 'publish-failed', 'fingerprint', d.fingerprint) AS facts
FROM {schema}.detour d
JOIN {schema}.route r ON r.id = d.route
WHERE d.kind = 'FAILED';

-- Where every lane of a route stands. The newest checkpoint first, then its flush: the other way round reads every checkpoint.
CREATE OR REPLACE FUNCTION {schema}.newest_cursors(of_route smallint)
RETURNS TABLE (lane smallint, n bigint, cursor {schema}.log_cursor)
LANGUAGE sql STABLE AS $$
  SELECT l.lane, newest.n, {schema}.cursor_of(newest, f.snapshots)
  FROM {schema}.lease l
  CROSS JOIN LATERAL (
    SELECT c.* FROM {schema}.checkpoint c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
  ) AS newest
  JOIN {schema}.flush f ON f.id = newest.flush
  WHERE l.route = of_route
$$;

-- The highest transaction id that a row or a cursor knows of: of each lane the last row. Its lane is named apart from the
-- row's, or every row would be one of its own lane, and all of them read.
CREATE OR REPLACE FUNCTION {schema}.newest_known_xid() RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT greatest(
    (SELECT max(last.tx) FROM {schema}.log l CROSS JOIN generate_series(0, l.lanes - 1) AS each (number) CROSS JOIN LATERAL (
      SELECT o.tx::text::bigint AS tx FROM {schema}.outbox o
      WHERE o.lane = each.number::smallint ORDER BY o.tx DESC, o.seq DESC LIMIT 1
    ) AS last),
    (SELECT max(pg_snapshot_xmax(coalesce((c.cursor).pin, (c.cursor).snapshot))::text::bigint) - 1
     FROM {schema}.route r CROSS JOIN {schema}.newest_cursors(r.id) AS c),
    0)
$$;

-- A page of a replay, the same way: without that each page read the whole log.
CREATE OR REPLACE FUNCTION {schema}.replay_page(replay uuid, epoch bigint, after bigint, events int, bytes bigint)
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
      SELECT each.number::smallint AS lane, n.seq
      FROM {schema}.log l CROSS JOIN generate_series(0, l.lanes - 1) AS each (number) CROSS JOIN LATERAL (
        SELECT o.seq FROM {schema}.outbox o
        WHERE o.lane = each.number::smallint AND o.seq > replay_page.after AND o.seq <= mine."end"
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
