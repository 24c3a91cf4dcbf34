-- What is dead, on routes and in consumers, oldest first, after a place: by facts, by an id, and by time. OFFSET 0 has the
-- planner read in order and stop at the limit, however few it takes to be wanted.
-- Locks: none. Indexes: detour_failed_at, route_pkey, outbox_id, blocked_key_pkey, dead_letter_at. Rows: up to the limit.
SELECT * FROM (
  (SELECT * FROM (
     SELECT * FROM {schema}.dead_on_route AS d
     WHERE (d.at, d.letter) >= (?::timestamptz, ?::uuid) AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
     ORDER BY d.at, d.letter, d.name OFFSET 0
   ) AS d
   WHERE (d.at, d.letter, d.name) > (?::timestamptz, ?::uuid, ?::text)
     AND d.facts @> ?::jsonb AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
   ORDER BY d.at, d.letter, d.name
   LIMIT ?)
  UNION ALL
  (SELECT * FROM (
     SELECT * FROM {schema}.dead_in_consumer AS d
     WHERE (d.at, d.letter) >= (?::timestamptz, ?::uuid) AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
     ORDER BY d.at, d.letter, d.name OFFSET 0
   ) AS d
   WHERE (d.at, d.letter, d.name) > (?::timestamptz, ?::uuid, ?::text)
     AND d.facts @> ?::jsonb AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
   ORDER BY d.at, d.letter, d.name
   LIMIT ?)
) AS found
ORDER BY at, letter, name
LIMIT ?
