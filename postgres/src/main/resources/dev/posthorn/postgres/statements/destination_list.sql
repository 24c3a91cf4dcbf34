-- Every destination, with the live routes that publish there.
-- Locks: none. Index: none needed, destinations and routes are few. Rows: one for each destination.
SELECT d.place, d.kind, d.name, d.first_seen, d.missing_since, d.unheard_since,
  ARRAY(SELECT r.name FROM {schema}.route AS r WHERE r.destination = d.place AND r.retired_at IS NULL ORDER BY r.name)
    AS routes
FROM {schema}.destination AS d ORDER BY d.place, d.kind, d.name
