-- What is dead by what the reasons have in common, the most frequent first, each with the one that died first.
-- Locks: none. Indexes: an index of detour, route_pkey, an index of dead_letter; for each group those by time. Rows: up to the
-- limit; reads all that is dead.
SELECT g.*, (
  SELECT d.letter FROM {schema}.dead AS d
  WHERE d.at = g.first_at AND d.cause = g.cause AND d.fingerprint = g.fingerprint AND d.remedy = g.remedy
  ORDER BY d.letter LIMIT 1
) AS example
FROM (
  SELECT d.cause, d.fingerprint, d.remedy, count(*) AS letters, min(d.at) AS first_at, max(d.at) AS last_at
  FROM (
    SELECT w.facts ->> 'station' AS station, w.facts ->> 'route' AS route, w.facts ->> 'consumer' AS consumer,
      w.facts ->> 'handler' AS handler, w.facts ->> 'domain' AS domain, w.facts ->> 'type' AS type, w.facts ->> 'key' AS key,
      w.facts ->> 'tenant' AS tenant, w.facts ->> 'tenant_group' AS tenant_group, w.facts ->> 'cause' AS cause, w.facts ->> 'fingerprint' AS fingerprint, w.id, w.since, w.until
    FROM (SELECT ?::jsonb AS facts, ?::uuid AS id, ?::timestamptz AS since, ?::timestamptz AS until) AS w
  ) AS asked
  CROSS JOIN {schema}.dead AS d
  WHERE (asked.station IS NULL OR d.station = asked.station)
    AND (asked.route IS NULL OR (d.station = 'route' AND d.name = asked.route))
    AND (asked.consumer IS NULL OR (d.station = 'consumer' AND d.name = asked.consumer))
    AND (asked.handler IS NULL OR (d.station = 'consumer' AND d.handler = asked.handler))
    AND (asked.domain IS NULL OR d.domain = asked.domain)
    AND (asked.type IS NULL OR d.type = asked.type)
    AND (asked.key IS NULL OR d.key = asked.key)
    AND (asked.tenant IS NULL OR d.tenant = asked.tenant)
    AND (asked.tenant_group IS NULL OR split_part(d.tenant, '/', 1) = asked.tenant_group)
    AND (asked.cause IS NULL OR d.cause = asked.cause)
    AND (asked.fingerprint IS NULL OR d.fingerprint = asked.fingerprint)
    AND (asked.id IS NULL OR asked.id IN (d.letter, d.event_id)) AND d.at >= asked.since AND d.at < asked.until
  GROUP BY d.cause, d.fingerprint, d.remedy
  ORDER BY count(*) DESC, d.fingerprint, d.cause, d.remedy
  LIMIT ?
) AS g
ORDER BY g.letters DESC, g.fingerprint, g.cause, g.remedy
