-- For producers in any language.

-- Emits one event in the current transaction and returns its id. Only domain, type and payload are needed.
CREATE FUNCTION {schema}.emit(
  domain         text,
  type           text,
  payload        bytea,
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
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  event_id uuid := coalesce(emit.id, {schema}.uuid_v7());
BEGIN
  INSERT INTO {schema}.outbox (
    id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
    headers, content_type, payload, occurred_at, deliver_after)
  VALUES (
    event_id, emit.domain, emit.type, emit.key, emit.sequence, emit.aggregate_type, emit.aggregate_id, emit.tenant,
    emit.correlation_id, emit.causation_id, emit.traceparent, emit.headers, emit.content_type, emit.payload,
    coalesce(emit.occurred_at, clock_timestamp()), emit.deliver_after);
  RETURN event_id;
END
$$;

-- The same for a payload that is text; kept byte for byte in UTF-8.
CREATE FUNCTION {schema}.emit(domain text, type text, payload text, key text DEFAULT NULL) RETURNS uuid
LANGUAGE sql VOLATILE AS $$
  SELECT {schema}.emit(domain, type, convert_to(payload, 'UTF8'), key)
$$;
