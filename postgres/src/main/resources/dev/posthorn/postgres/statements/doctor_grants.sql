-- Which of these rights a role does not have.
-- Locks: none. Index: those of the catalogs. Rows: one for each right that is missing.
SELECT w.privilege || ' on ' || w.object
FROM (SELECT ?::text AS schema, ?::text AS role) AS asked
JOIN pg_namespace AS n ON n.nspname = asked.schema
JOIN pg_roles AS r ON r.rolname = asked.role
CROSS JOIN unnest(?::text[], ?::text[], ?::text[]) AS w (kind, privilege, object)
WHERE NOT coalesce(
  CASE w.kind
    WHEN 'SCHEMA' THEN has_schema_privilege(r.oid, n.oid, w.privilege)
    WHEN 'FUNCTION' THEN (
      SELECT bool_and(has_function_privilege(r.oid, p.oid, w.privilege))
      FROM pg_proc AS p WHERE p.pronamespace = n.oid AND p.proname = w.object)
    ELSE (
      SELECT has_table_privilege(r.oid, c.oid, w.privilege)
      FROM pg_class AS c WHERE c.relnamespace = n.oid AND c.relname = w.object)
  END, false)
