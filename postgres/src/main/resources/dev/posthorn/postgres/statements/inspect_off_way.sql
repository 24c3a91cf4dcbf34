-- How much of each route is off the way: keys that wait, events that failed for good, events with a time of their own.
-- Locks: none. Indexes: blocked_key_pkey, detour_failed_seq, detour_due. Rows: one for each route; reads all that is off
-- the way.
SELECT r.name AS route,
       (SELECT count(*) FROM {schema}.blocked_key AS b WHERE b.route = r.id) AS blocked_keys,
       coalesce(dead.events, 0) AS dead,
       (SELECT count(*) FROM {schema}.detour AS d WHERE d.route = r.id AND d.due IS NOT NULL AND d.kind = 'SCHEDULED') AS scheduled
FROM {schema}.route AS r
LEFT JOIN (
  SELECT d.route, count(*) AS events FROM {schema}.detour AS d WHERE d.kind = 'FAILED' GROUP BY d.route
) AS dead ON dead.route = r.id
ORDER BY r.name
