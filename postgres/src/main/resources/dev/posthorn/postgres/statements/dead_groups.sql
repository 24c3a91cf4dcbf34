-- What is dead by what the reasons have in common, the most frequent first, each with the one that died first.
-- Locks: none. Indexes: an index of detour, route_pkey, an index of dead_letter; for each group those by time. Rows: up to the
-- limit; reads all that is dead.
WITH asked AS MATERIALIZED (
  SELECT {include dead_facts}, w.id, w.since, w.until
  FROM (SELECT ?::jsonb AS facts, ?::uuid AS id, ?::timestamptz AS since, ?::timestamptz AS until) AS w
)
SELECT g.cause, left(g.fingerprint, 1000) AS fingerprint, left(g.remedy, 1000) AS remedy, g.letters, g.first_at, g.last_at, (
  SELECT d.letter FROM {schema}.dead AS d
  WHERE d.at = g.first_at AND d.cause = g.cause AND d.fingerprint = g.fingerprint AND d.remedy = g.remedy
  ORDER BY d.letter LIMIT 1
) AS example
FROM (
  SELECT d.cause, d.fingerprint, d.remedy, count(*) AS letters, min(d.at) AS first_at, max(d.at) AS last_at
  FROM {schema}.dead AS d
  WHERE {include dead_wanted_anywhere}
  GROUP BY d.cause, d.fingerprint, d.remedy
  ORDER BY count(*) DESC, d.fingerprint, d.cause, d.remedy
  LIMIT ?
) AS g
ORDER BY g.letters DESC, g.fingerprint, g.cause, g.remedy
