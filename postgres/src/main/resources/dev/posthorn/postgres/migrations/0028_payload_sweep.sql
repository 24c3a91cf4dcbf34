-- A payload that is being removed is marked, and stays so whatever becomes of the session of whoever removes it: with a lock
-- alone, a session that was lost let others refer to the payload while its removal was on its way.

-- Payloads that are just being removed. Whoever wants to refer to one waits until the mark is gone, or its time is over.
CREATE TABLE {schema}.payload_sweep (
  sha256 bytea       PRIMARY KEY,
  token  uuid        NOT NULL,
  until  timestamptz NOT NULL
);

-- As before, and waits for removals that are marked. A mark whose time is over is of one who died; it goes, so that he forgets
-- nothing if he lives after all. The payload is put after this.
CREATE OR REPLACE FUNCTION {schema}.claim_payloads(events uuid[], hashes bytea[], lengths bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  snapshot_stays boolean := current_setting('transaction_isolation') <> 'read committed';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(k.lock)
  FROM (SELECT DISTINCT {schema}.payload_lock(h.sha256) AS lock FROM unnest(hashes) AS h(sha256) ORDER BY 1) AS k;
  IF snapshot_stays THEN
    -- A mark that is newer than the snapshot is not seen, but it is in the way of this row: could not serialize.
    INSERT INTO {schema}.payload_sweep (sha256, token, until)
    SELECT DISTINCT h.sha256, gen_random_uuid(), timestamptz '-infinity' FROM unnest(hashes) AS h(sha256) ORDER BY 1
    ON CONFLICT DO NOTHING;
  END IF;
  WHILE EXISTS (
    SELECT FROM {schema}.payload_sweep s WHERE s.sha256 = ANY (hashes) AND s.until > clock_timestamp()) LOOP
    IF snapshot_stays THEN
      RAISE EXCEPTION 'a payload is just being removed' USING
        ERRCODE = 'serialization_failure', HINT = 'Try the transaction again.';
    END IF;
    PERFORM pg_sleep(0.02);
  END LOOP;
  DELETE FROM {schema}.payload_sweep s WHERE s.sha256 = ANY (hashes);
  INSERT INTO {schema}.payload_reference AS r (event_id, sha256, length)
  SELECT DISTINCT c.event_id, c.sha256, c.length
  FROM unnest(events, hashes, lengths) AS c(event_id, sha256, length)
  ORDER BY 1, 2
  ON CONFLICT (event_id, sha256) DO UPDATE SET claimed_at = clock_timestamp();
END
$$;

-- Marks a payload that no event needs, for the one with this token to remove within the time, and answers which events referred to
-- it. Null if one does, if somebody is just about to refer to it, or if another is removing it. The mark of one who died is
-- taken over. Only with READ COMMITTED: what is looked at must be newer than the lock.
CREATE FUNCTION {schema}.mark_payload(sha256 bytea, kept interval, token uuid, lease interval) RETURNS uuid[]
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'the transaction is %', current_setting('transaction_isolation') USING
      ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Sweep in a transaction that is READ COMMITTED.';
  END IF;
  IF NOT pg_try_advisory_xact_lock({schema}.payload_lock(mark_payload.sha256)) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (
    SELECT FROM {schema}.payload_reference r
    WHERE r.sha256 = mark_payload.sha256 AND {schema}.needs_payload(r, kept)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO {schema}.payload_sweep AS s (sha256, token, until)
  VALUES (mark_payload.sha256, mark_payload.token, clock_timestamp() + lease)
  ON CONFLICT ON CONSTRAINT payload_sweep_pkey DO UPDATE SET token = excluded.token, until = excluded.until
  WHERE s.until <= clock_timestamp();
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  RETURN ARRAY(SELECT r.event_id FROM {schema}.payload_reference r WHERE r.sha256 = mark_payload.sha256);
END
$$;

-- Takes the mark of a payload away, and with "removed" what is known of it. False if the mark is another's or gone: then somebody
-- refers to the payload again, and nothing is forgotten.
CREATE FUNCTION {schema}.unmark_payload(sha256 bytea, token uuid, removed boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
BEGIN
  DELETE FROM {schema}.payload_sweep s WHERE s.sha256 = unmark_payload.sha256 AND s.token = unmark_payload.token;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF removed THEN
    DELETE FROM {schema}.payload_reference r WHERE r.sha256 = unmark_payload.sha256;
  END IF;
  RETURN true;
END
$$;

REVOKE ALL ON {schema}.payload_sweep FROM PUBLIC;
REVOKE ALL ON FUNCTION {schema}.mark_payload, {schema}.unmark_payload FROM PUBLIC;

-- sweep_payload stays for collectors of a process that is older than this migration.
UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.mark_payload, {schema}.unmark_payload TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.payload_sweep TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.payload_sweep TO {role};
GRANT EXECUTE ON FUNCTION {schema}.mark_payload, {schema}.unmark_payload TO {role};
$operator$ WHERE kind = 'operator';
