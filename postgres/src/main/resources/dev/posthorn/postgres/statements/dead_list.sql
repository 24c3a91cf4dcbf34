-- What is dead, on routes and in consumers, oldest first, after a place: by facts, by an id, and by time. What is asked for is
-- worked out once, not for each row. OFFSET 0 has the planner read in order and stop at the limit, however few it takes to be
-- wanted; all of a letter is looked at once it is found.
-- Locks: none. Indexes: detour_failed_at, route_pkey, blocked_key_pkey, dead_letter_at. Rows: up to the limit; reads further the
-- fewer are wanted, at most all that is dead.
WITH asked AS MATERIALIZED (
  SELECT {include dead_facts}
  FROM (SELECT ?::jsonb AS facts) AS w
)
SELECT found.station, found.name, found.handler, found.event_id, found.letter, found.domain, found.type, found.key, found.tenant,
  found.cause, left(found.reason, 1000) AS reason, left(found.fingerprint, 1000) AS fingerprint,
  left(found.remedy, 1000) AS remedy, found.attempts, found.at, found.held
FROM (
  (SELECT whole.*
   FROM (
     SELECT d.at, d.letter, d.name
     FROM (
       SELECT d.at, d.letter, d.name, d.handler, d.event_id, d.domain, d.type, d.key, d.tenant, d.cause, d.fingerprint
       FROM {schema}.dead_on_route AS d
       WHERE (d.at, d.letter) >= (?::timestamptz, ?::uuid) AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
       ORDER BY d.at, d.letter, d.name OFFSET 0
     ) AS d
     WHERE (d.at, d.letter, d.name) > (?::timestamptz, ?::uuid, ?::text) AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
       AND ((SELECT station FROM asked) IS NULL OR (SELECT station FROM asked) = 'route')
       AND (SELECT consumer FROM asked) IS NULL AND (SELECT handler FROM asked) IS NULL
       AND ((SELECT route FROM asked) IS NULL OR d.name = (SELECT route FROM asked))
       AND {include dead_wanted}
     ORDER BY d.at, d.letter, d.name
     LIMIT ?
   ) AS found
   JOIN {schema}.dead_on_route AS whole ON whole.at = found.at AND whole.letter = found.letter AND whole.name = found.name)
  UNION ALL
  (SELECT whole.*
   FROM (
     SELECT d.at, d.letter, d.name
     FROM (
       SELECT d.at, d.letter, d.name, d.handler, d.event_id, d.domain, d.type, d.key, d.tenant, d.cause, d.fingerprint
       FROM {schema}.dead_in_consumer AS d
       WHERE (d.at, d.letter) >= (?::timestamptz, ?::uuid) AND d.at >= ?::timestamptz AND d.at < ?::timestamptz
       ORDER BY d.at, d.letter, d.name OFFSET 0
     ) AS d
     WHERE (d.at, d.letter, d.name) > (?::timestamptz, ?::uuid, ?::text) AND coalesce(?::uuid, d.letter) IN (d.letter, d.event_id)
       AND ((SELECT station FROM asked) IS NULL OR (SELECT station FROM asked) = 'consumer') AND (SELECT route FROM asked) IS NULL
       AND ((SELECT consumer FROM asked) IS NULL OR d.name = (SELECT consumer FROM asked))
       AND ((SELECT handler FROM asked) IS NULL OR d.handler = (SELECT handler FROM asked))
       AND {include dead_wanted}
     ORDER BY d.at, d.letter, d.name
     LIMIT ?
   ) AS found
   JOIN {schema}.dead_in_consumer AS whole ON whole.at = found.at AND whole.letter = found.letter AND whole.name = found.name)
) AS found
ORDER BY at, letter, name
LIMIT ?
