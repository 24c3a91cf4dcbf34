-- What is dead, on routes and in consumers, oldest first, after a place: by facts, by an id, and by time. OFFSET 0 has the
-- planner read in order and stop at the limit, however few it takes to be wanted; all of a letter is looked at once it is found.
-- Locks: none. Indexes: detour_failed_at, route_pkey, blocked_key_pkey, dead_letter_at. Rows: up to the limit; reads further the
-- fewer are wanted, at most all that is dead.
SELECT * FROM (
  (SELECT whole.*
   FROM (
     SELECT d.at, d.letter, d.name
     FROM (
       SELECT w.facts ->> 'station' AS station, w.facts ->> 'route' AS route, w.facts ->> 'consumer' AS consumer,
         w.facts ->> 'handler' AS handler, w.facts ->> 'domain' AS domain, w.facts ->> 'type' AS type, w.facts ->> 'key' AS key,
         w.facts ->> 'tenant' AS tenant, w.facts ->> 'cause' AS cause, w.facts ->> 'fingerprint' AS fingerprint
       FROM (SELECT ?::jsonb AS facts) AS w
     ) AS asked
     CROSS JOIN (
       SELECT d.at, d.letter, d.name, d.handler, d.event_id, d.domain, d.type, d.key, d.tenant, d.cause, d.fingerprint
       FROM {schema}.dead_on_route AS d
       WHERE (d.at, d.letter) >= (?::timestamptz, ?::uuid) AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
       ORDER BY d.at, d.letter, d.name OFFSET 0
     ) AS d
     WHERE (d.at, d.letter, d.name) > (?::timestamptz, ?::uuid, ?::text) AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
       AND (asked.station IS NULL OR asked.station = 'route') AND asked.consumer IS NULL AND asked.handler IS NULL
       AND (asked.route IS NULL OR d.name = asked.route)
       AND (asked.domain IS NULL OR d.domain = asked.domain)
       AND (asked.type IS NULL OR d.type = asked.type)
       AND (asked.key IS NULL OR d.key = asked.key)
       AND (asked.tenant IS NULL OR d.tenant = asked.tenant)
       AND (asked.cause IS NULL OR d.cause = asked.cause)
       AND (asked.fingerprint IS NULL OR d.fingerprint = asked.fingerprint)
     ORDER BY d.at, d.letter, d.name
     LIMIT ?
   ) AS found
   JOIN {schema}.dead_on_route AS whole ON whole.at = found.at AND whole.letter = found.letter AND whole.name = found.name)
  UNION ALL
  (SELECT whole.*
   FROM (
     SELECT d.at, d.letter, d.name
     FROM (
       SELECT w.facts ->> 'station' AS station, w.facts ->> 'route' AS route, w.facts ->> 'consumer' AS consumer,
         w.facts ->> 'handler' AS handler, w.facts ->> 'domain' AS domain, w.facts ->> 'type' AS type, w.facts ->> 'key' AS key,
         w.facts ->> 'tenant' AS tenant, w.facts ->> 'cause' AS cause, w.facts ->> 'fingerprint' AS fingerprint
       FROM (SELECT ?::jsonb AS facts) AS w
     ) AS asked
     CROSS JOIN (
       SELECT d.at, d.letter, d.name, d.handler, d.event_id, d.domain, d.type, d.key, d.tenant, d.cause, d.fingerprint
       FROM {schema}.dead_in_consumer AS d
       WHERE (d.at, d.letter) >= (?::timestamptz, ?::uuid) AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
       ORDER BY d.at, d.letter, d.name OFFSET 0
     ) AS d
     WHERE (d.at, d.letter, d.name) > (?::timestamptz, ?::uuid, ?::text) AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
       AND (asked.station IS NULL OR asked.station = 'consumer') AND asked.route IS NULL
       AND (asked.consumer IS NULL OR d.name = asked.consumer)
       AND (asked.handler IS NULL OR d.handler = asked.handler)
       AND (asked.domain IS NULL OR d.domain = asked.domain)
       AND (asked.type IS NULL OR d.type = asked.type)
       AND (asked.key IS NULL OR d.key = asked.key)
       AND (asked.tenant IS NULL OR d.tenant = asked.tenant)
       AND (asked.cause IS NULL OR d.cause = asked.cause)
       AND (asked.fingerprint IS NULL OR d.fingerprint = asked.fingerprint)
     ORDER BY d.at, d.letter, d.name
     LIMIT ?
   ) AS found
   JOIN {schema}.dead_in_consumer AS whole ON whole.at = found.at AND whole.letter = found.letter AND whole.name = found.name)
) AS found
ORDER BY at, letter, name
LIMIT ?
