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

CREATE TABLE {schema}.outbox (
  seq            bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1),
  tx             xid8        NOT NULL DEFAULT pg_current_xact_id(),
  lane           smallint    NOT NULL GENERATED ALWAYS AS (
                   ((coalesce(hashtextextended(key, 0), uuid_hash_extended(id, 0)) % {lanes} + {lanes}) % {lanes})::smallint
                 ) STORED,
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
  CONSTRAINT outbox_domain_valid CHECK (length(domain) <= 200 AND domain ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$'),
  CONSTRAINT outbox_type_valid CHECK (length(type) <= 200 AND type ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$'),
  CONSTRAINT outbox_key_valid CHECK (octet_length(key) BETWEEN 1 AND 1000),
  CONSTRAINT outbox_aggregate_valid CHECK (octet_length(aggregate_type) <= 1000 AND octet_length(aggregate_id) <= 1000),
  CONSTRAINT outbox_headers_valid CHECK (jsonb_typeof(headers) = 'object'),
  CONSTRAINT outbox_times_valid CHECK (
    occurred_at >= '0001-01-01Z' AND occurred_at < '10000-01-01Z'
    AND deliver_after >= '0001-01-01Z' AND deliver_after < '10000-01-01Z'),
  CONSTRAINT outbox_payload_size CHECK (octet_length(payload) <= 67108864)
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
