-- What all views in place of another system's tables need: a schema, names that are free, and words for what is refused. Every
-- function is in the schema of the log, where only its owner creates: who replaced a function that others call would act for them.

CREATE SCHEMA IF NOT EXISTS {views};

DO $check$
DECLARE
  log_owner oid := (SELECT nspowner FROM pg_namespace WHERE nspname = {schema_text});
  views_owner oid := (
    SELECT CASE n.nspowner::regrole::text WHEN 'pg_database_owner' THEN d.datdba ELSE n.nspowner END
    FROM pg_namespace n, pg_database d WHERE n.nspname = {views_text} AND d.datname = current_database());
  creators text := (
    SELECT string_agg(DISTINCT CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END, ', ')
    FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) AS acl
    WHERE n.nspname = {views_text} AND acl.privilege_type = 'CREATE'
      AND acl.grantee NOT IN (SELECT r.oid FROM pg_roles r
        WHERE r.oid IN (n.nspowner, views_owner, log_owner) OR r.rolsuper OR r.rolname = ANY (ARRAY[{services}]::text[]))
      AND (acl.grantee = 0 OR NOT EXISTS (
        SELECT FROM pg_class c CROSS JOIN aclexplode(c.relacl) AS granted
        WHERE c.relnamespace = n.oid AND c.relkind = 'v' AND c.relowner IN (views_owner, log_owner)
          AND granted.grantee = acl.grantee AND granted.grantor = c.relowner)));
  taken text := (
    SELECT string_agg(c.relname, ', ' ORDER BY c.relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = {views_text} AND c.relname IN ({tables}) AND c.relkind <> 'v');
BEGIN
  IF views_owner <> log_owner AND NOT (SELECT rolsuper FROM pg_roles WHERE oid = views_owner) THEN
    RAISE EXCEPTION 'the schema % has another owner than the log: %', {views_text}, views_owner::regrole USING
      ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format(
        'Its owner could replace what others use in it. Choose another schema for the views, or run ALTER SCHEMA %I OWNER TO %s.',
        {views_text}, log_owner::regrole);
  END IF;
  IF creators IS NOT NULL THEN
    RAISE EXCEPTION 'others than its owner and the services of the views may create in the schema %: %', {views_text}, creators USING
      ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format(
        'Name the roles of the services (--to), choose another schema, or run REVOKE CREATE ON SCHEMA %I FROM %s.',
        {views_text}, creators);
  END IF;
  IF taken IS NOT NULL THEN
    RAISE EXCEPTION 'the schema % has tables of these names: %', {views_text}, taken USING
      ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format(
        'Stop whatever publishes from them and let it finish, then rename them, as in'
        ' ALTER TABLE %1$s RENAME TO %1$s_before. Or choose another schema for the views.', split_part(taken, ', ', 1));
  END IF;
END
$check$;

-- Others may emit payloads that are no JSON; one of them must not make the whole view unreadable.
CREATE OR REPLACE FUNCTION {views}.json_of(payload bytea) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL RESTRICTED
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN convert_from(payload, 'UTF8')::jsonb;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION {views}.uuid_of(id text) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN id ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN id::uuid END;

CREATE OR REPLACE FUNCTION {views}.refuse_update() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'nothing in % can be updated: stop the old dispatcher', TG_TABLE_NAME USING
    ERRCODE = 'object_not_in_prerequisite_state',
    HINT = 'Relays of Posthorn publish these events, and its views show what became of them.';
END
$$;

-- SELECT … FOR UPDATE is how an old dispatcher takes rows, to publish them once more; no trigger sees it, so the statement itself is
-- looked at, without its strings and comments. Depends on no row: asked once for each statement, also if no row is found.
CREATE OR REPLACE FUNCTION {views}.is_read() RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF regexp_replace(current_query(), $q$'[^']*'|--[^\n]*|/\*.*?\*/$q$, '', 'g')
    ~* '\mfor\s+(no\s+key\s+update|update|key\s+share|share)\M'
  THEN
    RAISE EXCEPTION 'rows of these views cannot be taken with FOR UPDATE: stop the old dispatcher' USING
      ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Relays of Posthorn publish these events, and its views show what became of them.';
  END IF;
  RETURN true;
END
$$;

CREATE OR REPLACE FUNCTION {views}.skip_delete() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    RAISE NOTICE 'nothing is deleted from %', TG_TABLE_NAME USING
      HINT = 'Relays remove what every route has published when its retention is over; stop the old cleanup.';
  END IF;
  RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION {views}.json_of, {views}.uuid_of, {views}.is_read, {views}.refuse_update, {views}.skip_delete
FROM PUBLIC;
