-- A route by its name.
-- Locks: none. Index: none needed, routes are few. Rows: one at most.
SELECT r.id, r.name, r.domains, r.types, r.tenants, r.except_tenants, r.start, r.created_at, r.paused_at, r.retired_at
FROM {schema}.route AS r WHERE r.name = ?
