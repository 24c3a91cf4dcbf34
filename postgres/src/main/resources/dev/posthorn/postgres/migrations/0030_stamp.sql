-- What a producer says of having checked a payload, see the registry: a number beside the event, since a header costs every
-- reader as much as the check that it spares.

ALTER TABLE {schema}.outbox ADD COLUMN stamp bigint;

DROP FUNCTION {schema}.emit_once;

-- Emits the events that are not there yet, as before. Who calls it without stamps emits without any.
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
  deliver_after   timestamptz[],
  stamps          bigint[] DEFAULT NULL
) RETURNS uuid[]
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  WITH fresh AS (
    INSERT INTO {schema}.outbox (
      id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
      headers, content_type, payload, occurred_at, deliver_after, stamp)
    SELECT e.id, e.domain, e.type, e.key, e.sequence, e.aggregate_type, e.aggregate_id, e.tenant, e.correlation_id,
      e.causation_id, e.traceparent, e.headers::jsonb, e.content_type, e.payload, e.occurred_at, e.deliver_after, e.stamp
    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) WITH ORDINALITY AS e (
      id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
      headers, content_type, payload, occurred_at, deliver_after, stamp, place)
    ORDER BY e.place
    ON CONFLICT DO NOTHING
    RETURNING id
  )
  SELECT coalesce(array_agg(id), '{}') FROM fresh
$$;

UPDATE {schema}.role_kind SET grants = grants || $producer$
GRANT INSERT (stamp) ON {schema}.outbox TO {role};
$producer$ WHERE kind = 'producer';

-- Gives every role again what its kinds may do, so that no role lacks what a migration added. Which kinds a role is of is seen
-- by a right that only this kind has; an operator sees what a viewer does. Returns one line for each role and kind.
CREATE FUNCTION {schema}.renew_grants() RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  home oid := (SELECT c.relnamespace FROM {schema}.log l JOIN pg_class c ON c.oid = l.tableoid);
  found record;
BEGIN
  FOR found IN
    WITH marked (kind, grantee) AS (
      SELECT 'producer', a.grantee
      FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
      WHERE c.relnamespace = home AND c.relname = 'outbox' AND t.attname = 'payload' AND a.privilege_type = 'INSERT'
      UNION
      SELECT CASE c.relname WHEN 'checkpoint' THEN 'relay' ELSE 'viewer' END, a.grantee
      FROM pg_class c, aclexplode(c.relacl) a
      WHERE c.relnamespace = home
        AND (c.relname, a.privilege_type) IN (('checkpoint', 'INSERT'), ('outbox_status', 'SELECT'))
      UNION
      SELECT CASE p.proname WHEN 'redrive' THEN 'operator' ELSE 'consumer' END, a.grantee
      FROM pg_proc p, aclexplode(p.proacl) a
      WHERE p.pronamespace = home AND p.proname IN ('redrive', 'first_times')
    )
    SELECT m.kind, r.rolname
    FROM marked m JOIN pg_roles r ON r.oid = m.grantee
    WHERE m.grantee <> (SELECT c.relowner FROM pg_class c WHERE c.relnamespace = home AND c.relname = 'outbox')
      AND (m.kind <> 'viewer' OR ('operator', m.grantee) NOT IN (SELECT o.kind, o.grantee FROM marked o))
    ORDER BY 1, 2
  LOOP
    PERFORM {schema}.grant_role(found.kind, found.rolname);
    RETURN NEXT found.kind || ' ' || found.rolname;
  END LOOP;
END
$$;

REVOKE ALL ON FUNCTION {schema}.emit_once, {schema}.renew_grants FROM PUBLIC;
