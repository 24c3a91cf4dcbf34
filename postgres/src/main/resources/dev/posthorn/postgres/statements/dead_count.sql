-- How much of what is dead is wanted, and the last place of each station: what dies later is not of it. What is asked
-- for is worked out once, not for each row.
-- Locks: none. Indexes: an index of detour, route_pkey, an index of dead_letter. Rows: one; reads all that is dead.
WITH asked AS MATERIALIZED (
  SELECT {include dead_facts}, w.id, w.since, w.until
  FROM (SELECT ?::jsonb AS facts, ?::uuid AS id, ?::timestamptz AS since, ?::timestamptz AS until) AS w
)
SELECT count(*) FILTER (WHERE d.station = 'route') AS on_routes, count(*) FILTER (WHERE d.station = 'consumer') AS in_consumers,
  coalesce(max(d.place) FILTER (WHERE d.station = 'route'), 0) AS last_on_routes,
  coalesce(max(d.place) FILTER (WHERE d.station = 'consumer'), 0) AS last_in_consumers
FROM {schema}.dead AS d
WHERE {include dead_wanted_anywhere}
