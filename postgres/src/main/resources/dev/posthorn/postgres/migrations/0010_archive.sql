-- Removes events only after they are in an archive.

-- Since when this log is archived, and whose turn it is to do that. One at a time does it, so that no event is archived
-- twice without need; that none is removed too early does not depend on it.
CREATE TABLE {schema}.archive (
  only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  since      timestamptz,
  turn_of    text,
  turn_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO {schema}.archive DEFAULT VALUES;

-- Takes or keeps the turn for a time, by the database's clock; false if it is another one's. From the first turn on,
-- nothing is removed from this log but what was archived.
CREATE FUNCTION {schema}.archive_turn(who text, ttl interval) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.archive a
  SET since = coalesce(a.since, clock_timestamp()), turn_of = who, turn_until = clock_timestamp() + ttl
  WHERE a.turn_of = who OR a.turn_until < clock_timestamp();
  RETURN FOUND;
END
$$;

-- From now on events are removed without being archived, until one is archived again; false if that was so before.
CREATE FUNCTION {schema}.stop_archive(reason text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE {schema}.archive a SET since = NULL WHERE a.since IS NOT NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO {schema}.operator_action (action, target, reason, rows) VALUES ('stop archive', 'archive', stop_archive.reason, 1);
  RETURN true;
END
$$;

-- The next rows of a lane, how large they are, and whether each may be removed. See prunable.
CREATE FUNCTION {schema}.archivable(lane smallint, after bigint, age interval, chunk int)
RETURNS TABLE (seq bigint, id uuid, size int, created_at timestamptz, may_go boolean)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
  SELECT p.seq, p.id, octet_length(o.payload), p.created_at, p.may_go
  FROM {schema}.prunable(archivable.lane, archivable.after, age, chunk) AS p
  JOIN {schema}.outbox o ON o.ctid = p.place
  ORDER BY p.seq
$$;

-- One step: removes those of a lane's rows after a place, up to another, that are in the archive and still may go, with
-- their attempts. Rows are named by seq and id, as they were archived. Locks nothing that a producer or a reader would wait
-- for.
CREATE FUNCTION {schema}.prune_archived(
  lane smallint, after bigint, last bigint, age interval, seqs bigint[], ids uuid[]) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '10s'
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  removed bigint;
BEGIN
  IF age < interval '0' THEN
    RAISE EXCEPTION 'the age is %', age USING ERRCODE = 'invalid_parameter_value', HINT = 'It must not be negative.';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l)));
  WITH archived AS MATERIALIZED (
    SELECT a.seq, a.id FROM unnest(seqs, ids) AS a (seq, id)
  ), looked AS MATERIALIZED (
    SELECT p.seq, p.id, p.place
    FROM {schema}.prunable(prune_archived.lane, prune_archived.after, age, (
      SELECT count(*)::int FROM {schema}.outbox o
      WHERE o.lane = prune_archived.lane AND o.seq > prune_archived.after AND o.seq <= prune_archived.last)) AS p
    WHERE p.may_go
  ), gone AS (
    DELETE FROM {schema}.outbox o USING looked l JOIN archived a ON a.seq = l.seq AND a.id = l.id
    WHERE o.ctid = l.place RETURNING o.id
  ), attempts AS (
    DELETE FROM {schema}.attempt a USING gone g WHERE a.event_id = g.id
  )
  SELECT count(*) INTO removed FROM gone;
  RETURN removed;
END
$$;

-- As before, and refused for a log that is archived: one process that was not told of the archive would undo it.
CREATE OR REPLACE FUNCTION {schema}.prune(
  lane smallint, after bigint, retention interval, chunk int,
  OUT removed bigint, OUT seen bigint, OUT last_seq bigint, OUT last_created_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
  IF retention < interval '0' THEN
    RAISE EXCEPTION 'the retention is %', retention USING ERRCODE = 'invalid_parameter_value', HINT = 'It must not be negative.';
  END IF;
  IF EXISTS (SELECT FROM {schema}.archive a WHERE a.since IS NOT NULL) THEN
    RAISE EXCEPTION 'this log is archived, so no event is removed without that' USING
      ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Name the archive (--archive), or end it (posthorn archive stop).';
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

REVOKE ALL ON {schema}.archive FROM PUBLIC;
REVOKE ALL ON FUNCTION {schema}.archive_turn, {schema}.stop_archive, {schema}.archivable, {schema}.prune_archived FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.archive_turn, {schema}.archivable, {schema}.prune_archived TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.archive TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.archive TO {role};
GRANT EXECUTE ON FUNCTION {schema}.archive_turn, {schema}.archivable, {schema}.prune_archived,
  {schema}.stop_archive TO {role};
$operator$ WHERE kind = 'operator';
