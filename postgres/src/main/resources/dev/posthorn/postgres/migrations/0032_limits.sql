-- The limits of an event's fields are those of the Java builder, for every producer and with the same sentences; emit takes
-- json and jsonb; a flush that a checkpoint needs is never removed.

-- Whether the fields that every event has keep the rules; null if one of them is missing. Octets are counted first because
-- that costs next to nothing, and a text with as few octets as it may have characters has no more characters than that.
CREATE FUNCTION {schema}.is_valid_event(
  domain text, type text, key text, payload bytea, occurred_at timestamptz, content_type text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN domain ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' AND octet_length(domain) <= 200
  AND type ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' AND octet_length(type) <= 200
  AND (key IS NULL OR (octet_length(key) >= 1 AND octet_length(key) <= 1000))
  AND octet_length(payload) <= 67108864
  AND occurred_at >= '0001-01-01Z'::timestamptz AND occurred_at < '10000-01-01Z'::timestamptz
  AND content_type <> '' AND (octet_length(content_type) <= 1000 OR char_length(content_type) <= 1000);

-- Headers that may be too many or too long, which a look at their size did not decide.
CREATE FUNCTION {schema}.are_few_headers(headers jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT count(*) <= 100 AND coalesce(sum(char_length(h.key) + coalesce(char_length(h.value), 0)), 0) <= 32768
  FROM jsonb_each_text(headers) AS h);

-- Whether the optional fields keep the rules; null breaks none. More than 100 headers are longer than 900 bytes. The form of a
-- traceparent takes 1 to 2 µs this way, and 19 as one regular expression with counts.
CREATE FUNCTION {schema}.are_event_details(
  aggregate_type text, aggregate_id text, tenant text, correlation_id text, causation_id text, traceparent text,
  headers jsonb, deliver_after timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN octet_length(aggregate_type) >= 1 AND octet_length(aggregate_type) <= 1000
  AND octet_length(aggregate_id) >= 1 AND octet_length(aggregate_id) <= 1000
  AND tenant <> '' AND (octet_length(tenant) <= 1000 OR char_length(tenant) <= 1000)
  AND correlation_id <> '' AND (octet_length(correlation_id) <= 1000 OR char_length(correlation_id) <= 1000)
  AND causation_id <> '' AND (octet_length(causation_id) <= 1000 OR char_length(causation_id) <= 1000)
  AND octet_length(traceparent) <= 200
  AND traceparent LIKE '__-________________________________-________________-__%' AND left(traceparent, 55) ~ '^[0-9a-f-]*$'
  AND octet_length(replace(left(traceparent, 55), '-', '')) = 52
  AND (octet_length(traceparent) = 55 OR substr(traceparent, 56) ~ '^[ -~]*$')
  AND (headers IS NULL OR (jsonb_typeof(headers) = 'object' AND NOT headers ? ''
    AND CASE WHEN octet_length(headers::text) <= 900 THEN true ELSE {schema}.are_few_headers(headers) END))
  AND deliver_after >= '0001-01-01Z'::timestamptz AND deliver_after < '10000-01-01Z'::timestamptz;

-- What is wrong with each field, in the words of the Java builder; rule by rule.
CREATE FUNCTION {schema}.event_faults(event {schema}.outbox) RETURNS TABLE (rule text, fault text)
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
  WITH texts (place, rule, field, value, indexed) AS (
    VALUES
      (3, 'outbox_key_valid', 'key', (event).key COLLATE "default", true),
      (5, 'outbox_aggregate_valid', 'aggregate_type', (event).aggregate_type, true),
      (6, 'outbox_aggregate_valid', 'aggregate_id', (event).aggregate_id, true),
      (7, 'outbox_tenant_valid', 'tenant', (event).tenant, false),
      (8, 'outbox_correlation_id_valid', 'correlation_id', (event).correlation_id, false),
      (9, 'outbox_causation_id_valid', 'causation_id', (event).causation_id, false),
      (11, 'outbox_content_type_valid', 'content_type', (event).content_type, false)
  ), names (place, rule, field, value) AS (
    VALUES (1, 'outbox_domain_valid', 'domain', (event).domain), (2, 'outbox_type_valid', 'type', (event).type)
  ), times (place, rule, field, value) AS (
    VALUES (13, 'outbox_times_valid', 'occurred_at', (event).occurred_at),
      (14, 'outbox_times_valid', 'deliver_after', (event).deliver_after)
  ), missing (place, rule, field) AS (
    SELECT place, rule, field FROM names WHERE value IS NULL
    UNION ALL SELECT 11, 'outbox_content_type_valid', 'content_type' WHERE (event).content_type IS NULL
    UNION ALL SELECT 4, 'outbox_payload_size', 'payload' WHERE (event).payload IS NULL
    UNION ALL SELECT 13, 'outbox_times_valid', 'occurred_at' WHERE (event).occurred_at IS NULL
  ), faults (place, rule, fault) AS (
    SELECT place, rule, field || ' must not be null' FROM missing
    UNION ALL
    SELECT place, rule, field || ' must be 1 to 200 letters, digits or . _ : / - and begin with a letter or digit, but is "'
      || left(value, 60) || CASE WHEN char_length(value) > 60 THEN '…' ELSE '' END || '"'
    FROM names WHERE NOT (value ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' AND octet_length(value) <= 200)
    UNION ALL
    SELECT place, rule, field || ' must have 1 to 1000 characters, but has ' || char_length(value)
    FROM texts WHERE char_length(value) NOT BETWEEN 1 AND 1000
    UNION ALL
    SELECT place, rule, field || ' must have at most 1000 bytes in UTF-8, but has ' || octet_length(value)
    FROM texts WHERE indexed AND char_length(value) <= 1000 AND octet_length(value) > 1000
    UNION ALL
    SELECT 4, 'outbox_payload_size', 'payload must have at most 67108864 bytes, but has ' || octet_length((event).payload)
    WHERE octet_length((event).payload) > 67108864
    UNION ALL
    SELECT 10, 'outbox_traceparent_valid', 'traceparent must look like 00-<32 hex>-<16 hex>-<2 hex>, but is "'
      || left((event).traceparent, 60) || CASE WHEN char_length((event).traceparent) > 60 THEN '…' ELSE '' END || '"'
    WHERE octet_length((event).traceparent) > 200
      OR (event).traceparent !~ '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}[ -~]*$'
    UNION ALL
    SELECT 12, 'outbox_headers_valid', 'headers must be a JSON object, but are a JSON ' || jsonb_typeof((event).headers)
    WHERE jsonb_typeof((event).headers) <> 'object'
    UNION ALL
    SELECT 12, 'outbox_headers_valid', 'header "" must have a name and no NUL characters or unpaired surrogates'
    WHERE jsonb_typeof((event).headers) = 'object' AND (event).headers ? ''
    UNION ALL
    SELECT 12, 'outbox_headers_valid', 'headers must be at most 100 and 32768 characters in all'
    WHERE CASE WHEN jsonb_typeof((event).headers) = 'object' THEN NOT {schema}.are_few_headers((event).headers) END
    UNION ALL
    SELECT place, rule, field || ' must be in the years 1 to 9999, but is ' || value
    FROM times WHERE NOT (value >= '0001-01-01Z'::timestamptz AND value < '10000-01-01Z'::timestamptz)
  )
  SELECT rule, fault FROM faults ORDER BY place
$$;

-- Refuses an event with every fault that it has. The constraint in the error is the first rule that is broken.
CREATE OR REPLACE FUNCTION {schema}.refuse_event(event {schema}.outbox) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found record;
BEGIN
  SELECT (array_agg(f.rule))[1] AS rule, string_agg(f.fault, '; ') AS faults INTO found
  FROM {schema}.event_faults(event) AS f;
  RAISE EXCEPTION 'Event % (%/%) is invalid: %. Nothing was emitted; correct the event and emit it again.',
      event.id, left(event.domain, 200), left(event.type, 200), coalesce(found.faults, 'it breaks a rule')
    USING ERRCODE = 'check_violation', TABLE = 'outbox', CONSTRAINT = found.rule,
      DETAIL = format('The rule is "%s".', found.rule),
      HINT = CASE found.rule
        WHEN 'outbox_domain_valid' THEN 'A domain has 1 to 200 letters, digits and . _ : / - and begins with a letter or digit.'
        WHEN 'outbox_type_valid' THEN 'A type has 1 to 200 letters, digits and . _ : / - and begins with a letter or digit.'
        WHEN 'outbox_key_valid' THEN 'A key has 1 to 1000 bytes, or is null.'
        WHEN 'outbox_payload_size' THEN 'A payload has at most 64 MiB; keep larger ones elsewhere and emit a reference.'
        WHEN 'outbox_aggregate_valid' THEN 'An aggregate type or id has 1 to at most 1000 bytes, or is null.'
        WHEN 'outbox_headers_valid' THEN 'Headers are a JSON object of at most 100 names and 32768 characters, or null.'
        WHEN 'outbox_traceparent_valid' THEN 'A traceparent is a W3C trace context of at most 200 characters, or null.'
        WHEN 'outbox_times_valid' THEN 'Times are within the years 1 to 9999.'
        WHEN 'outbox_content_type_valid' THEN 'A content type has 1 to 1000 characters.'
        ELSE 'The field has 1 to 1000 characters, or is null.'
      END;
END
$$;

CREATE OR REPLACE FUNCTION {schema}.place_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF {schema}.is_valid_event(NEW.domain, NEW.type, NEW.key, NEW.payload, NEW.occurred_at, NEW.content_type) IS NOT TRUE THEN
    PERFORM {schema}.refuse_event(NEW);
  END IF;
  IF NEW.correlation_id IS NOT NULL OR NEW.tenant IS NOT NULL OR NEW.traceparent IS NOT NULL OR NEW.headers IS NOT NULL
    OR NEW.aggregate_id IS NOT NULL OR NEW.aggregate_type IS NOT NULL OR NEW.causation_id IS NOT NULL
    OR NEW.deliver_after IS NOT NULL THEN
    IF NOT {schema}.are_event_details(NEW.aggregate_type, NEW.aggregate_id, NEW.tenant, NEW.correlation_id,
      NEW.causation_id, NEW.traceparent, NEW.headers, NEW.deliver_after) THEN
      PERFORM {schema}.refuse_event(NEW);
    END IF;
  END IF;
  NEW.lane := {schema}.lane_of(NEW.key, NEW.id);
  RETURN NEW;
END
$$;

-- A text that was meant as bytes: what is written without a type is text, also where only bytes were taken before.
CREATE FUNCTION {schema}.refuse_hex() RETURNS bytea
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'payload is a text that looks like bytea in hex'
    USING ERRCODE = 'invalid_parameter_value', HINT = 'Write ''\x…''::bytea for bytes.';
END
$$;

-- Emits one event whose payload is text, kept byte for byte in UTF-8. A payload without a type is text: of the functions that
-- could take it, this is the only one that takes a string.
DROP FUNCTION {schema}.emit(text, text, text, text);

CREATE FUNCTION {schema}.emit(
  domain         text,
  type           text,
  payload        text,
  key            text        DEFAULT NULL,
  id             uuid        DEFAULT NULL,
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
) RETURNS uuid
LANGUAGE sql VOLATILE
RETURN {schema}.emit(
  domain, type, CASE WHEN payload ~ '^\\x([0-9a-fA-F]{2})*$' THEN {schema}.refuse_hex() ELSE convert_to(payload, 'UTF8') END,
  key, id, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent, headers, content_type,
  occurred_at, deliver_after);

-- The same for json, kept as it was written.
CREATE FUNCTION {schema}.emit(
  domain         text,
  type           text,
  payload        json,
  key            text        DEFAULT NULL,
  id             uuid        DEFAULT NULL,
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
) RETURNS uuid
LANGUAGE sql VOLATILE
RETURN {schema}.emit(
  domain, type, convert_to(payload::text, 'UTF8'), key, id, sequence, aggregate_type, aggregate_id, tenant, correlation_id,
  causation_id, traceparent, headers, content_type, occurred_at, deliver_after);

-- The same for jsonb, as Postgres writes it: names in its order, each once.
CREATE FUNCTION {schema}.emit(
  domain         text,
  type           text,
  payload        jsonb,
  key            text        DEFAULT NULL,
  id             uuid        DEFAULT NULL,
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
) RETURNS uuid
LANGUAGE sql VOLATILE
RETURN {schema}.emit(
  domain, type, convert_to(payload::text, 'UTF8'), key, id, sequence, aggregate_type, aggregate_id, tenant, correlation_id,
  causation_id, traceparent, headers, content_type, occurred_at, deliver_after);

-- One step for flushes: removes those older than any checkpoint but a lane's first and newest, which are looked at.
-- One statement, so that all of it is of one snapshot. In several, each sees what was committed before it: a lane's first
-- flush that commits after the ends of the lanes were looked at is not among them, and if a second one commits before the
-- bound is taken from the newest flush, the first is older than the bound and in use. A checkpoint that this snapshot does
-- not see was written together with its flush, which it does not see either.
CREATE OR REPLACE FUNCTION {schema}.compact_flushes(chunk int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  removed bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN 0;
  END IF;
  WITH used AS MATERIALIZED (
    SELECT array_agg(ends.flush) AS flushes
    FROM {schema}.lease l
    CROSS JOIN LATERAL (
      (SELECT c.flush FROM {schema}.checkpoint c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n LIMIT 1)
      UNION ALL
      (SELECT c.flush FROM {schema}.checkpoint c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1)
    ) AS ends
  ), bound AS MATERIALIZED (
    -- A lane whose only checkpoint beside the first is its newest bounds nothing: that one is among those used.
    SELECT coalesce(min(second.flush), (SELECT f.id FROM {schema}.flush f ORDER BY f.id DESC LIMIT 1)) AS flush
    FROM {schema}.lease l
    CROSS JOIN LATERAL (
      SELECT c.flush, c.n, lead(c.n) OVER (ORDER BY c.n) AS after FROM {schema}.checkpoint c
      WHERE c.route = l.route AND c.lane = l.lane AND c.n > 0 ORDER BY c.n LIMIT 2
    ) AS second
    WHERE second.after IS NOT NULL
  )
  DELETE FROM {schema}.flush f
  WHERE f.id IN (
    SELECT o.id FROM {schema}.flush o
    WHERE o.id < (SELECT b.flush FROM bound b) AND NOT o.id = ANY ((SELECT u.flushes FROM used u)::bigint[])
    ORDER BY o.id LIMIT compact_flushes.chunk);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

REVOKE ALL ON FUNCTION
  {schema}.is_valid_event, {schema}.are_few_headers, {schema}.are_event_details, {schema}.event_faults, {schema}.refuse_hex,
  {schema}.emit(text, text, text, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit(text, text, json, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit(text, text, jsonb, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz)
FROM PUBLIC;

-- The rights of a producer anew, because the function for text has other arguments now.
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
  {schema}.emit_once, {schema}.claim_payloads TO {role};
$producer$ WHERE kind = 'producer';

-- With the functions, so that no producer lacks a right between this migration and the last one.
DO $$ BEGIN PERFORM {schema}.renew_grants(); END $$;
