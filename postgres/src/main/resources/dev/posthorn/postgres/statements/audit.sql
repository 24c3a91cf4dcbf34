-- What operators did, from the last to the first; a decision about many dead letters once.
-- Locks: none. Index: operator_action_entry, backwards; further the fewer fit. Rows: up to the limit.
SELECT a.id, a.at, a.who, a.action, (SELECT r.name FROM {schema}.route AS r WHERE r.id = a.route) AS route, left(a.target, 1000) AS target,
       left(a.reason, 4000) AS reason,
       a.rows
FROM {schema}.operator_action AS a
WHERE a.bulk IS NULL AND a.id < ?::bigint AND (?::text IS NULL OR a.who = ?) AND (?::text IS NULL OR a.action = ?)
ORDER BY a.id DESC
LIMIT ?
