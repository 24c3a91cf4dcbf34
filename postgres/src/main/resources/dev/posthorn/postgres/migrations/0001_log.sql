-- The log: what producers write, and nothing ever updates.

CREATE TABLE {schema}.log (
  only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  lanes      smallint    NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO {schema}.log (lanes) VALUES ({lanes});

-- RFC 9562 version 7, for producers that bring no id of their own. Postgres before 18 has no uuidv7().
CREATE FUNCTION {schema}.uuid_v7() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_byte(
      overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6),
      6, (get_byte(uuid_send(gen_random_uuid()), 6) & 15) | 112),
    'hex')::uuid
$$;

-- These two run at every insert, in PL/pgSQL: the server parses and prepares the expressions of a table's constraints and
-- generated columns for each statement anew, which cost an emit of one event more than its indexes and its row together,
-- but keeps what a PL/pgSQL function has prepared for the whole session.

-- The lane of a key, or of an event without one.
CREATE FUNCTION {schema}.lane_of(key text, id uuid) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ((coalesce(hashtextextended(key COLLATE "C", 0), uuid_hash_extended(id, 0)) % {lanes} + {lanes}) % {lanes})::smallint;
END
$$;

-- Whether an event is one, for producers in any language; what is not fails with the name of the rule. Null breaks none.
CREATE FUNCTION {schema}.is_event(
  domain text, type text, key text, aggregate_type text, aggregate_id text, headers jsonb, payload bytea,
  occurred_at timestamptz, deliver_after timestamptz) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  broken text;
BEGIN
  broken := CASE
    WHEN NOT (length(domain) <= 200 AND domain ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$') THEN 'outbox_domain_valid'
    WHEN NOT (length(type) <= 200 AND type ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$') THEN 'outbox_type_valid'
    WHEN NOT octet_length(key) BETWEEN 1 AND 1000 THEN 'outbox_key_valid'
    WHEN octet_length(aggregate_type) > 1000 OR octet_length(aggregate_id) > 1000 THEN 'outbox_aggregate_valid'
    WHEN jsonb_typeof(headers) <> 'object' THEN 'outbox_headers_valid'
    WHEN occurred_at < '0001-01-01Z' OR occurred_at >= '10000-01-01Z'
      OR deliver_after < '0001-01-01Z' OR deliver_after >= '10000-01-01Z' THEN 'outbox_times_valid'
    WHEN octet_length(payload) > 67108864 THEN 'outbox_payload_size'
  END;
  IF broken IS NULL THEN
    RETURN true;
  END IF;
  RAISE EXCEPTION 'the event violates the rule "%"', broken
    USING ERRCODE = 'check_violation', TABLE = 'outbox', CONSTRAINT = broken,
      HINT = CASE broken
        WHEN 'outbox_domain_valid' THEN 'A domain has 1 to 200 letters, digits and . _ : / - and begins with a letter or digit.'
        WHEN 'outbox_type_valid' THEN 'A type has 1 to 200 letters, digits and . _ : / - and begins with a letter or digit.'
        WHEN 'outbox_key_valid' THEN 'A key has 1 to 1000 bytes, or is null.'
        WHEN 'outbox_aggregate_valid' THEN 'An aggregate type or id has at most 1000 bytes.'
        WHEN 'outbox_headers_valid' THEN 'Headers are a JSON object, or null.'
        WHEN 'outbox_times_valid' THEN 'Times are within the years 1 to 9999.'
        ELSE 'A payload has at most 64 MiB.'
      END;
END
$$;

CREATE TABLE {schema}.outbox (
  seq            bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1),
  tx             xid8        NOT NULL DEFAULT pg_current_xact_id(),
  lane           smallint    NOT NULL GENERATED ALWAYS AS ({schema}.lane_of(key, id)) STORED,
  id             uuid        NOT NULL DEFAULT {schema}.uuid_v7(),
  domain         text        NOT NULL,
  type           text        NOT NULL,
  key            text        COLLATE "C",
  sequence       bigint,
  aggregate_type text,
  aggregate_id   text,
  tenant         text,
  correlation_id text,
  causation_id   text,
  traceparent    text,
  headers        jsonb,
  content_type   text        NOT NULL DEFAULT 'application/json',
  payload        bytea       NOT NULL DEFAULT '',
  occurred_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  deliver_after  timestamptz,
  CONSTRAINT outbox_id PRIMARY KEY (id),
  CONSTRAINT outbox_is_event CHECK ({schema}.is_event(
    domain, type, key, aggregate_type, aggregate_id, headers, payload, occurred_at, deliver_after))
);

-- Each index is named by the statement that needs it; see statements/.
CREATE INDEX outbox_lane_seq ON {schema}.outbox (lane, seq);
CREATE INDEX outbox_lane_tx_seq ON {schema}.outbox (lane, tx, seq);
CREATE INDEX outbox_key_seq ON {schema}.outbox (key, seq) WHERE key IS NOT NULL;
CREATE INDEX outbox_aggregate ON {schema}.outbox (aggregate_type, aggregate_id) WHERE aggregate_type IS NOT NULL;

-- Append-only tables never reach the dead-row threshold, so ask for statistics and the visibility map by inserts.
ALTER TABLE {schema}.outbox SET (
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
