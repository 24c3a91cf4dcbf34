-- How much of what is dead is wanted, and the last place of each station: what dies later is not of it. What is asked
-- for is worked out once, not for each row.
-- Locks: none. Indexes: an index of detour, route_pkey, an index of dead_letter. Rows: one; reads all that is dead.
WITH asked AS MATERIALIZED (
  SELECT w.facts ->> 'station' AS station, w.facts ->> 'route' AS route, w.facts ->> 'consumer' AS consumer,
    w.facts ->> 'handler' AS handler, w.facts ->> 'domain' AS domain, w.facts ->> 'type' AS type, w.facts ->> 'key' AS key,
    w.facts ->> 'tenant' AS tenant, w.facts ->> 'tenant_group' AS tenant_group, w.facts ->> 'cause' AS cause, w.facts ->> 'fingerprint' AS fingerprint, w.id, w.since, w.until
  FROM (SELECT ?::jsonb AS facts, ?::uuid AS id, ?::timestamptz AS since, ?::timestamptz AS until) AS w
)
SELECT count(*) FILTER (WHERE d.station = 'route') AS on_routes, count(*) FILTER (WHERE d.station = 'consumer') AS in_consumers,
  coalesce(max(d.place) FILTER (WHERE d.station = 'route'), 0) AS last_on_routes,
  coalesce(max(d.place) FILTER (WHERE d.station = 'consumer'), 0) AS last_in_consumers
FROM {schema}.dead AS d
WHERE ((SELECT station FROM asked) IS NULL OR d.station = (SELECT station FROM asked))
  AND ((SELECT route FROM asked) IS NULL OR (d.station = 'route' AND d.name = (SELECT route FROM asked)))
  AND ((SELECT consumer FROM asked) IS NULL OR (d.station = 'consumer' AND d.name = (SELECT consumer FROM asked)))
  AND ((SELECT handler FROM asked) IS NULL OR (d.station = 'consumer' AND d.handler = (SELECT handler FROM asked)))
  AND ((SELECT domain FROM asked) IS NULL OR d.domain = (SELECT domain FROM asked))
  AND ((SELECT type FROM asked) IS NULL OR d.type = (SELECT type FROM asked))
  AND ((SELECT key FROM asked) IS NULL OR d.key = (SELECT key FROM asked))
  AND ((SELECT tenant FROM asked) IS NULL OR d.tenant = (SELECT tenant FROM asked))
  AND ((SELECT tenant_group FROM asked) IS NULL OR split_part(d.tenant, '/', 1) = (SELECT tenant_group FROM asked))
  AND ((SELECT cause FROM asked) IS NULL OR d.cause = (SELECT cause FROM asked))
  AND ((SELECT fingerprint FROM asked) IS NULL OR d.fingerprint = (SELECT fingerprint FROM asked))
  AND ((SELECT id FROM asked) IS NULL OR (SELECT id FROM asked) IN (d.letter, d.event_id)) AND d.at >= (SELECT since FROM asked) AND d.at < (SELECT until FROM asked)
