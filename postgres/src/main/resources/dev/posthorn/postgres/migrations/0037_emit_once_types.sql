-- Idempotent emits for producers in any language, with the payload types of emit.

-- Emits one event unless its id is there already, and returns whether it was emitted. The id is the producer's.
CREATE FUNCTION {schema}.emit_once(
  id             uuid,
  domain         text,
  type           text,
  payload        bytea,
  key            text        DEFAULT NULL,
  sequence       bigint      DEFAULT NULL,
  aggregate_type text        DEFAULT NULL,
  aggregate_id   text        DEFAULT NULL,
  tenant         text        DEFAULT NULL,
  correlation_id text        DEFAULT NULL,
  causation_id   text        DEFAULT NULL,
  traceparent    text        DEFAULT NULL,
  headers        jsonb       DEFAULT NULL,
  content_type   text        DEFAULT 'application/json',
  occurred_at    timestamptz DEFAULT NULL,
  deliver_after  timestamptz DEFAULT NULL
) RETURNS boolean
LANGUAGE sql VOLATILE
RETURN cardinality({schema}.emit_once(
  ARRAY[id], ARRAY[domain], ARRAY[type], ARRAY[key], ARRAY[sequence], ARRAY[aggregate_type], ARRAY[aggregate_id], ARRAY[tenant],
  ARRAY[correlation_id], ARRAY[causation_id], ARRAY[traceparent], ARRAY[headers::text], ARRAY[content_type], ARRAY[payload],
  ARRAY[coalesce(occurred_at, clock_timestamp())], ARRAY[deliver_after])) = 1;

-- The same for text, kept byte for byte in UTF-8. A payload without a type is text.
CREATE FUNCTION {schema}.emit_once(
  id             uuid,
  domain         text,
  type           text,
  payload        text,
  key            text        DEFAULT NULL,
  sequence       bigint      DEFAULT NULL,
  aggregate_type text        DEFAULT NULL,
  aggregate_id   text        DEFAULT NULL,
  tenant         text        DEFAULT NULL,
  correlation_id text        DEFAULT NULL,
  causation_id   text        DEFAULT NULL,
  traceparent    text        DEFAULT NULL,
  headers        jsonb       DEFAULT NULL,
  content_type   text        DEFAULT 'application/json',
  occurred_at    timestamptz DEFAULT NULL,
  deliver_after  timestamptz DEFAULT NULL
) RETURNS boolean
LANGUAGE sql VOLATILE
RETURN {schema}.emit_once(
  id, domain, type,
  CASE WHEN payload ~ '^\\x([0-9a-fA-F]{2})*$' THEN {schema}.refuse_hex() ELSE convert_to(payload, 'UTF8') END,
  key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent, headers, content_type,
  occurred_at, deliver_after);

-- The same for json, kept as it was written.
CREATE FUNCTION {schema}.emit_once(
  id             uuid,
  domain         text,
  type           text,
  payload        json,
  key            text        DEFAULT NULL,
  sequence       bigint      DEFAULT NULL,
  aggregate_type text        DEFAULT NULL,
  aggregate_id   text        DEFAULT NULL,
  tenant         text        DEFAULT NULL,
  correlation_id text        DEFAULT NULL,
  causation_id   text        DEFAULT NULL,
  traceparent    text        DEFAULT NULL,
  headers        jsonb       DEFAULT NULL,
  content_type   text        DEFAULT 'application/json',
  occurred_at    timestamptz DEFAULT NULL,
  deliver_after  timestamptz DEFAULT NULL
) RETURNS boolean
LANGUAGE sql VOLATILE
RETURN {schema}.emit_once(
  id, domain, type, convert_to(payload::text, 'UTF8'), key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent, headers,
  content_type, occurred_at, deliver_after);

-- The same for jsonb, as Postgres writes it: names in its order, each once.
CREATE FUNCTION {schema}.emit_once(
  id             uuid,
  domain         text,
  type           text,
  payload        jsonb,
  key            text        DEFAULT NULL,
  sequence       bigint      DEFAULT NULL,
  aggregate_type text        DEFAULT NULL,
  aggregate_id   text        DEFAULT NULL,
  tenant         text        DEFAULT NULL,
  correlation_id text        DEFAULT NULL,
  causation_id   text        DEFAULT NULL,
  traceparent    text        DEFAULT NULL,
  headers        jsonb       DEFAULT NULL,
  content_type   text        DEFAULT 'application/json',
  occurred_at    timestamptz DEFAULT NULL,
  deliver_after  timestamptz DEFAULT NULL
) RETURNS boolean
LANGUAGE sql VOLATILE
RETURN {schema}.emit_once(
  id, domain, type, convert_to(payload::text, 'UTF8'), key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent, headers,
  content_type, occurred_at, deliver_after);

REVOKE ALL ON FUNCTION
  {schema}.emit_once(uuid, text, text, bytea, text, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit_once(uuid, text, text, text, text, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit_once(uuid, text, text, json, text, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit_once(uuid, text, text, jsonb, text, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz)
FROM PUBLIC;

-- A name alone no longer says which function is meant.
UPDATE {schema}.role_kind SET grants = $producer$
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT INSERT (
  id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
  headers, content_type, payload, occurred_at, deliver_after, stamp) ON {schema}.outbox TO {role};
GRANT EXECUTE ON FUNCTION
  {schema}.uuid_v7, {schema}.lane_of, {schema}.is_event, {schema}.are_event_options, {schema}.refuse_event,
  {schema}.is_valid_event, {schema}.are_few_headers, {schema}.are_event_details, {schema}.event_faults, {schema}.refuse_hex,
  {schema}.emit(text, text, bytea, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit(text, text, text, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit(text, text, json, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit(text, text, jsonb, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit_once(uuid[], text[], text[], text[], bigint[], text[], text[], text[], text[], text[], text[], text[], text[],
    bytea[], timestamptz[], timestamptz[], bigint[]),
  {schema}.emit_once(uuid, text, text, bytea, text, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit_once(uuid, text, text, text, text, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit_once(uuid, text, text, json, text, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit_once(uuid, text, text, jsonb, text, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz), {schema}.claim_payloads TO {role};
$producer$ WHERE kind = 'producer';

DO $$ BEGIN PERFORM {schema}.renew_grants(); END $$;
