-- For producers that may repeat themselves.

-- Emits the events that are not there yet, in the order of the arrays, and returns their ids. An id that is there already,
-- or twice in the arrays, is left out. Runs as its owner because reporting what was new takes the right to read, which a
-- producer has not; it reads nothing but the ids it was given.
CREATE FUNCTION {schema}.emit_once(
  ids             uuid[],
  domains         text[],
  types           text[],
  keys            text[],
  sequences       bigint[],
  aggregate_types text[],
  aggregate_ids   text[],
  tenants         text[],
  correlation_ids text[],
  causation_ids   text[],
  traceparents    text[],
  headers         text[],
  content_types   text[],
  payloads        bytea[],
  occurred_at     timestamptz[],
  deliver_after   timestamptz[]
) RETURNS uuid[]
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  WITH fresh AS (
    INSERT INTO {schema}.outbox (
      id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
      headers, content_type, payload, occurred_at, deliver_after)
    SELECT e.id, e.domain, e.type, e.key, e.sequence, e.aggregate_type, e.aggregate_id, e.tenant, e.correlation_id,
      e.causation_id, e.traceparent, e.headers::jsonb, e.content_type, e.payload, e.occurred_at, e.deliver_after
    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) WITH ORDINALITY AS e (
      id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
      headers, content_type, payload, occurred_at, deliver_after, place)
    ORDER BY e.place
    ON CONFLICT DO NOTHING
    RETURNING id
  )
  SELECT coalesce(array_agg(id), '{}') FROM fresh
$$;

REVOKE EXECUTE ON FUNCTION {schema}.emit_once FROM PUBLIC;
