-- What each kind of role may do. Posthorn creates no roles: they are the cluster's, and yours to name.

-- The grants of each kind, with {role} where the name goes. This is their only place: grant_role runs them, and the command
-- line prints what stands between the dollar tags of a kind in the migrations. A later migration adds what its own tables
-- and functions need: UPDATE {schema}.role_kind SET grants = grants || (more between the same tags) WHERE kind = …
CREATE TABLE {schema}.role_kind (
  kind   text PRIMARY KEY,
  grants text NOT NULL
);

-- Column by column: who could supply tx could hide an event from every relay, or have it read for ever.
INSERT INTO {schema}.role_kind (kind, grants) VALUES ('producer', $producer$
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT INSERT (
  id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id, traceparent,
  headers, content_type, payload, occurred_at, deliver_after) ON {schema}.outbox TO {role};
GRANT EXECUTE ON FUNCTION
  {schema}.uuid_v7, {schema}.lane_of, {schema}.is_event, {schema}.are_event_options, {schema}.refuse_event,
  {schema}.emit(text, text, text, text),
  {schema}.emit(text, text, bytea, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.emit_once TO {role};
$producer$);

INSERT INTO {schema}.role_kind (kind, grants) VALUES ('relay', $relay$
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT ON {schema}.log, {schema}.outbox TO {role};
GRANT SELECT, INSERT ON {schema}.route, {schema}.flush, {schema}.checkpoint TO {role};
GRANT INSERT ON {schema}.attempt TO {role};
GRANT SELECT, INSERT, UPDATE ON {schema}.lease TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.relay, {schema}.blocked_key, {schema}.detour TO {role};
GRANT EXECUTE ON FUNCTION {schema}.covers, {schema}.cursor_of, {schema}.incarnation TO {role};
$relay$);

INSERT INTO {schema}.role_kind (kind, grants) VALUES ('consumer', $consumer$
GRANT USAGE ON SCHEMA {schema} TO {role};
$consumer$);

-- The functions are those of outbox_status: a view lends its owner's right to read, but not to call.
INSERT INTO {schema}.role_kind (kind, grants) VALUES ('viewer', $viewer$
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT (
  seq, tx, lane, id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id,
  traceparent, content_type, occurred_at, created_at, deliver_after) ON {schema}.outbox TO {role};
GRANT SELECT ON {schema}.log, {schema}.migration, {schema}.outbox_status, {schema}.route, {schema}.relay, {schema}.lease,
  {schema}.flush, {schema}.checkpoint, {schema}.blocked_key, {schema}.detour, {schema}.attempt, {schema}.operator_action
  TO {role};
GRANT EXECUTE ON FUNCTION {schema}.covers, {schema}.cursor_of, {schema}.first_covered_at TO {role};
$viewer$);

INSERT INTO {schema}.role_kind (kind, grants) VALUES ('operator', $operator$
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT ON {schema}.outbox TO {role};
GRANT SELECT ON {schema}.log, {schema}.migration, {schema}.outbox_status, {schema}.route, {schema}.relay, {schema}.lease,
  {schema}.flush, {schema}.checkpoint, {schema}.blocked_key, {schema}.detour, {schema}.attempt, {schema}.operator_action
  TO {role};
GRANT EXECUTE ON FUNCTION {schema}.covers, {schema}.cursor_of, {schema}.first_covered_at TO {role};
GRANT EXECUTE ON FUNCTION {schema}.redrive, {schema}.discard TO {role};
$operator$);

-- Gives a role the rights of a kind; a role may be of several kinds. Again after a migration gives what that one added.
-- Takes the lock of the migrations: two grants on one table at a time are an error in Postgres.
CREATE FUNCTION {schema}.grant_role(kind text, to_role text) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wanted text := (SELECT k.grants FROM {schema}.role_kind k WHERE k.kind = grant_role.kind);
BEGIN
  IF wanted IS NULL THEN
    RAISE EXCEPTION 'there is no kind of role "%"', grant_role.kind USING
      ERRCODE = 'invalid_parameter_value',
      HINT = 'Choose one of: ' || (SELECT string_agg(k.kind, ', ' ORDER BY k.kind) FROM {schema}.role_kind k) || '.';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = to_role) THEN
    RAISE EXCEPTION 'there is no role "%"', to_role USING
      ERRCODE = 'undefined_object',
      HINT = 'Create it first; Posthorn creates no roles.';
  END IF;
  PERFORM pg_advisory_xact_lock(7811341722304571);
  EXECUTE replace(wanted, '{role}', quote_ident(to_role));
END
$$;

-- Takes from a role all that grant_role ever gave it, of whatever kind: kinds share rights, so that taking one kind alone
-- would cripple another. Grant again what it is to keep.
CREATE FUNCTION {schema}.revoke_role(from_role text) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  given text := (SELECT string_agg(k.grants, '') FROM {schema}.role_kind k);
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = from_role) THEN
    RAISE EXCEPTION 'there is no role "%"', from_role USING ERRCODE = 'undefined_object', HINT = 'Correct its name.';
  END IF;
  PERFORM pg_advisory_xact_lock(7811341722304571);
  EXECUTE replace(
    regexp_replace(regexp_replace(given, '^GRANT ', 'REVOKE ', 'gn'), '\mTO {role};$', 'FROM {role};', 'gn'),
    '{role}', quote_ident(from_role));
END
$$;

-- What is ours only: the schema may be one that others use too.
REVOKE ALL ON
  {schema}.log, {schema}.migration, {schema}.outbox, {schema}.outbox_status, {schema}.route, {schema}.relay,
  {schema}.lease, {schema}.flush, {schema}.checkpoint, {schema}.blocked_key, {schema}.detour, {schema}.attempt,
  {schema}.operator_action, {schema}.role_kind
FROM PUBLIC;
REVOKE ALL ON FUNCTION
  {schema}.uuid_v7, {schema}.lane_of, {schema}.is_event, {schema}.are_event_options, {schema}.refuse_event,
  {schema}.place_event,
  {schema}.emit(text, text, text, text),
  {schema}.emit(text, text, bytea, text, uuid, bigint, text, text, text, text, text, text, jsonb, text, timestamptz,
    timestamptz),
  {schema}.covers, {schema}.cursor_of, {schema}.incarnation, {schema}.first_covered_at,
  {schema}.grant_role, {schema}.revoke_role
FROM PUBLIC;
