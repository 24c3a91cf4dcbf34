-- Payloads that are kept elsewhere: which events refer to them, so that those nobody needs can be removed.

-- One row for each event and payload, written in the event's own transaction. It outlives the event, until the payload goes.
-- "archived" ones left the log for an archive, and are needed as long as that.
CREATE TABLE {schema}.payload_reference (
  event_id   uuid        NOT NULL,
  sha256     bytea       NOT NULL CHECK (octet_length(sha256) = 32),
  length     bigint      NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  archived   boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (event_id, sha256)
);
CREATE INDEX payload_reference_sha ON {schema}.payload_reference (sha256);

-- The lock between those who refer to a payload and whoever removes it. One of 4096, so that a transaction with many large
-- events does not fill the server's table of locks.
CREATE FUNCTION {schema}.payload_lock(sha256 bytea) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT hashtextextended(
    'posthorn.payload ' || (get_byte(payload_lock.sha256, 0) * 16 + get_byte(payload_lock.sha256, 1) / 16),
    (SELECT l.tableoid::bigint FROM {schema}.log l))
$$;

-- Says that events refer to payloads. Until the transaction ends nobody removes these; waits for whoever is removing one.
CREATE FUNCTION {schema}.claim_payloads(events uuid[], hashes bytea[], lengths bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(k.lock)
  FROM (SELECT DISTINCT {schema}.payload_lock(h.sha256) AS lock FROM unnest(hashes) AS h(sha256) ORDER BY 1) AS k;
  INSERT INTO {schema}.payload_reference AS r (event_id, sha256, length)
  SELECT DISTINCT c.event_id, c.sha256, c.length
  FROM unnest(events, hashes, lengths) AS c(event_id, sha256, length)
  ORDER BY 1, 2
  ON CONFLICT (event_id, sha256) DO UPDATE SET claimed_at = clock_timestamp();
END
$$;

-- Whether a payload is still needed for this event, or may be by what no database knows: it was claimed not long ago.
CREATE FUNCTION {schema}.needs_payload(claim {schema}.payload_reference, kept interval) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT claim.archived
    OR claim.claimed_at > clock_timestamp() - kept
    OR EXISTS (SELECT FROM {schema}.outbox o WHERE o.id = claim.event_id)
    OR EXISTS (
      SELECT FROM {schema}.dead_letter d WHERE d.event_id = claim.event_id AND d.state IN ('DEAD', 'REDRIVE'))
$$;

-- The next payloads that no event needs, by their hash.
CREATE FUNCTION {schema}.released_payloads(after bytea, kept interval, most int) RETURNS SETOF bytea
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
  SELECT r.sha256 FROM {schema}.payload_reference r
  WHERE r.sha256 > after
  GROUP BY r.sha256
  HAVING NOT bool_or({schema}.needs_payload(r, kept))
  ORDER BY r.sha256
  LIMIT most
$$;

-- Which of these payloads no event has ever referred to, as far as transactions have ended.
CREATE FUNCTION {schema}.unknown_payloads(hashes bytea[]) RETURNS SETOF bytea
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
  SELECT h.sha256 FROM unnest(hashes) AS h(sha256)
  WHERE NOT EXISTS (SELECT FROM {schema}.payload_reference r WHERE r.sha256 = h.sha256)
$$;

-- Forgets a payload that no event needs, and answers which events referred to it. Null if one does, or if somebody is just
-- about to refer to it. Until the transaction ends nobody can refer to it, so it is removed before that; a rollback keeps
-- what is known. Only with READ COMMITTED: what is looked at must be newer than the lock.
CREATE FUNCTION {schema}.sweep_payload(sha256 bytea, kept interval) RETURNS uuid[]
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
DECLARE
  events uuid[];
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'the transaction is %', current_setting('transaction_isolation') USING
      ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Sweep in a transaction that is READ COMMITTED.';
  END IF;
  IF NOT pg_try_advisory_xact_lock({schema}.payload_lock(sweep_payload.sha256)) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (
    SELECT FROM {schema}.payload_reference r
    WHERE r.sha256 = sweep_payload.sha256 AND {schema}.needs_payload(r, kept)) THEN
    RETURN NULL;
  END IF;
  WITH gone AS (
    DELETE FROM {schema}.payload_reference r WHERE r.sha256 = sweep_payload.sha256 RETURNING r.event_id
  )
  SELECT coalesce(array_agg(g.event_id), '{}') INTO events FROM gone g;
  RETURN events;
END
$$;

-- Which of these events are kept here, in the log or as dead letters: for a collector at another database.
CREATE FUNCTION {schema}.kept_events(events uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
  SELECT e.id FROM unnest(events) AS e(id)
  WHERE EXISTS (SELECT FROM {schema}.outbox o WHERE o.id = e.id)
    OR EXISTS (SELECT FROM {schema}.dead_letter d WHERE d.event_id = e.id AND d.state IN ('DEAD', 'REDRIVE'))
$$;

-- Says that the archive has no event any more that was claimed before this time, so that their payloads may go. Answers how
-- many events that are.
CREATE FUNCTION {schema}.release_archived_payloads(claimed_before timestamptz, reason text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  changed bigint;
BEGIN
  IF coalesce(release_archived_payloads.reason, '') = '' THEN
    RAISE EXCEPTION 'to release needs a reason' USING
      ERRCODE = 'invalid_parameter_value', HINT = 'Archived events lose their payloads. Say why that is right.';
  END IF;
  UPDATE {schema}.payload_reference r SET archived = false
  WHERE r.archived AND r.claimed_at < release_archived_payloads.claimed_before;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed > 0 THEN
    INSERT INTO {schema}.operator_action (action, target, reason, rows)
    VALUES ('release archived payloads', 'claimed before ' || release_archived_payloads.claimed_before,
      release_archived_payloads.reason, changed);
  END IF;
  RETURN changed;
END
$$;

-- As before, and remembers of archived events that their payloads are needed.
CREATE OR REPLACE FUNCTION {schema}.prune_archived(
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
  ), payloads AS (
    UPDATE {schema}.payload_reference r SET archived = true FROM gone g WHERE r.event_id = g.id
  )
  SELECT count(*) INTO removed FROM gone;
  RETURN removed;
END
$$;

REVOKE ALL ON {schema}.payload_reference FROM PUBLIC;
REVOKE ALL ON FUNCTION
  {schema}.payload_lock, {schema}.claim_payloads, {schema}.needs_payload, {schema}.released_payloads,
  {schema}.unknown_payloads, {schema}.sweep_payload, {schema}.kept_events, {schema}.release_archived_payloads
FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $producer$
GRANT EXECUTE ON FUNCTION {schema}.claim_payloads TO {role};
$producer$ WHERE kind = 'producer';

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.claim_payloads, {schema}.released_payloads, {schema}.unknown_payloads,
  {schema}.sweep_payload, {schema}.kept_events TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.payload_reference TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.payload_reference TO {role};
GRANT EXECUTE ON FUNCTION {schema}.released_payloads, {schema}.unknown_payloads, {schema}.sweep_payload,
  {schema}.kept_events, {schema}.release_archived_payloads TO {role};
$operator$ WHERE kind = 'operator';
