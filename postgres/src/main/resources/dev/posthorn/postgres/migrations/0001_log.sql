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

-- The lane of a key, or of an event without one. The body is parsed here, so no caller's search_path changes its meaning.
CREATE FUNCTION {schema}.lane_of(key text, id uuid) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ((coalesce(hashtextextended(key COLLATE "C", 0), uuid_hash_extended(id, 0)) % {lanes} + {lanes}) % {lanes})::smallint;

-- Whether an event keeps the rules, in two parts: what every event has, and what few have. Null breaks no rule. A name that
-- has the right characters has as many bytes.
CREATE FUNCTION {schema}.is_event(domain text, type text, key text, payload bytea, occurred_at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN domain ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' AND octet_length(domain) <= 200
  AND type ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' AND octet_length(type) <= 200
  AND octet_length(key) >= 1 AND octet_length(key) <= 1000
  AND octet_length(payload) <= 67108864
  AND occurred_at >= '0001-01-01Z'::timestamptz AND occurred_at < '10000-01-01Z'::timestamptz;

CREATE FUNCTION {schema}.are_event_options(
  aggregate_type text, aggregate_id text, headers jsonb, deliver_after timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN octet_length(aggregate_type) <= 1000 AND octet_length(aggregate_id) <= 1000
  AND jsonb_typeof(headers) = 'object'
  AND deliver_after >= '0001-01-01Z'::timestamptz AND deliver_after < '10000-01-01Z'::timestamptz;

CREATE TABLE {schema}.outbox (
  seq            bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1),
  tx             xid8        NOT NULL DEFAULT pg_current_xact_id(),
  lane           smallint    NOT NULL,
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
  CONSTRAINT outbox_id PRIMARY KEY (id)
);

-- Refuses an event that is none, for producers in any language, with the name of the rule and a hint.
CREATE FUNCTION {schema}.refuse_event(event {schema}.outbox) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  broken text := CASE
    WHEN NOT {schema}.is_event(event.domain, NULL, NULL, NULL, NULL) THEN 'outbox_domain_valid'
    WHEN NOT {schema}.is_event(NULL, event.type, NULL, NULL, NULL) THEN 'outbox_type_valid'
    WHEN NOT {schema}.is_event(NULL, NULL, event.key, NULL, NULL) THEN 'outbox_key_valid'
    WHEN NOT {schema}.is_event(NULL, NULL, NULL, event.payload, NULL) THEN 'outbox_payload_size'
    WHEN NOT {schema}.are_event_options(event.aggregate_type, event.aggregate_id, NULL, NULL) THEN 'outbox_aggregate_valid'
    WHEN NOT {schema}.are_event_options(NULL, NULL, event.headers, NULL) THEN 'outbox_headers_valid'
    ELSE 'outbox_times_valid'
  END;
BEGIN
  RAISE EXCEPTION 'the event violates the rule "%"', broken
    USING ERRCODE = 'check_violation', TABLE = 'outbox', CONSTRAINT = broken,
      HINT = CASE broken
        WHEN 'outbox_domain_valid' THEN 'A domain has 1 to 200 letters, digits and . _ : / - and begins with a letter or digit.'
        WHEN 'outbox_type_valid' THEN 'A type has 1 to 200 letters, digits and . _ : / - and begins with a letter or digit.'
        WHEN 'outbox_key_valid' THEN 'A key has 1 to 1000 bytes, or is null.'
        WHEN 'outbox_payload_size' THEN 'A payload has at most 64 MiB.'
        WHEN 'outbox_aggregate_valid' THEN 'An aggregate type or id has at most 1000 bytes.'
        WHEN 'outbox_headers_valid' THEN 'Headers are a JSON object, or null.'
        ELSE 'Times are within the years 1 to 9999.'
      END;
END
$$;

-- Checks an event and gives it its lane, whatever the producer said. A trigger, not a generated column with a constraint: the
-- server parses and prepares a table's own expressions for each statement anew, which cost an emit of one event almost as much
-- as its row with all indexes, but keeps for the whole session what a PL/pgSQL function has prepared. There the functions
-- above are inlined. The options are asked for apart because also what is prepared costs something in each transaction.
CREATE FUNCTION {schema}.place_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT {schema}.is_event(NEW.domain, NEW.type, NEW.key, NEW.payload, NEW.occurred_at) THEN
    PERFORM {schema}.refuse_event(NEW);
  END IF;
  IF NEW.aggregate_type IS NOT NULL OR NEW.aggregate_id IS NOT NULL OR NEW.headers IS NOT NULL
    OR NEW.deliver_after IS NOT NULL THEN
    IF NOT {schema}.are_event_options(NEW.aggregate_type, NEW.aggregate_id, NEW.headers, NEW.deliver_after) THEN
      PERFORM {schema}.refuse_event(NEW);
    END IF;
  END IF;
  NEW.lane := {schema}.lane_of(NEW.key, NEW.id);
  RETURN NEW;
END
$$;

CREATE TRIGGER outbox_place_event BEFORE INSERT ON {schema}.outbox
FOR EACH ROW EXECUTE FUNCTION {schema}.place_event();

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
