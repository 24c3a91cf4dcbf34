-- What is dead by what the reasons have in common, the most frequent first.
-- Locks: none. Indexes: an index of detour, route_pkey, outbox_id, an index of dead_letter. Rows: up to the limit; reads all
-- that is dead.
SELECT d.cause, d.fingerprint, d.remedy, count(*) AS letters, min(d.at) AS first_at, max(d.at) AS last_at,
  (min(ARRAY[d.at::text, d.letter::text]))[2]::uuid AS example
FROM {schema}.dead AS d
WHERE d.facts @> ?::jsonb AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
  AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
GROUP BY d.cause, d.fingerprint, d.remedy
ORDER BY count(*) DESC, d.fingerprint, d.cause, d.remedy
LIMIT ?
