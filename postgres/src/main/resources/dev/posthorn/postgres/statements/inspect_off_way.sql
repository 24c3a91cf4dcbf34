-- How much of each route is off the way: keys that wait, events that failed for good, events with a time of their own.
-- Locks: none. Index: none, only what went wrong has rows there. Rows: one for each route.
SELECT r.name AS route,
       (SELECT count(*) FROM {schema}.blocked_key AS b WHERE b.route = r.id) AS blocked_keys,
       (SELECT count(*) FROM {schema}.detour AS d WHERE d.route = r.id AND d.kind = 'FAILED') AS dead,
       (SELECT count(*) FROM {schema}.detour AS d WHERE d.route = r.id AND d.kind <> 'FAILED') AS scheduled
FROM {schema}.route AS r
ORDER BY r.name
