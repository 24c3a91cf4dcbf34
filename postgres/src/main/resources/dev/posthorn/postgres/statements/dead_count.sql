-- How much of what is dead is wanted, and the last place of each station: what dies later is not of it.
-- Locks: none. Indexes: an index of detour, route_pkey, outbox_id, an index of dead_letter. Rows: one; reads all that is dead.
SELECT count(*) FILTER (WHERE d.station = 'route') AS on_routes, count(*) FILTER (WHERE d.station = 'consumer') AS in_consumers,
  coalesce(max(d.place) FILTER (WHERE d.station = 'route'), 0) AS last_on_routes,
  coalesce(max(d.place) FILTER (WHERE d.station = 'consumer'), 0) AS last_in_consumers
FROM {schema}.dead AS d
WHERE d.facts @> ?::jsonb AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
  AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
