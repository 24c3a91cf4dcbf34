-- The next dead events of routes to decide about, in the order of the log. OFFSET 0: see dead_list.
-- Locks: none. Indexes: detour_failed_seq, route_pkey. Rows: up to the limit.
SELECT d.name, d.event_id, d.letter, d.place, false AS overtaken
FROM (
  SELECT * FROM {schema}.dead_on_route AS d WHERE d.place >= ? AND d.place <= ? ORDER BY d.place, d.name OFFSET 0
) AS d
WHERE (d.place, d.name) > (?, ?::text)
  AND d.facts @> ?::jsonb AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
  AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
ORDER BY d.place, d.name
LIMIT ?
