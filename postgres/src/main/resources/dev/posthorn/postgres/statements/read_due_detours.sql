-- Detours of some lanes whose time has come, earliest first, with their events; before them whether the route publishes.
-- Locks: none. Indexes: route_pkey, detour_due, then outbox_id. Rows: one, and up to the limit.
SELECT -1::smallint AS lane, false AS is_late, {no_event},
  CASE WHEN r.retired_at IS NOT NULL THEN 'RETIRED' WHEN r.paused_at IS NOT NULL THEN 'PAUSED' ELSE 'OPEN' END AS kind, 0 AS attempts, NULL::text AS last_error
FROM {schema}.route AS r WHERE r.id = ?
UNION ALL
SELECT d.lane, false AS is_late, e.*, d.kind, d.attempts, d.last_error
FROM (
  SELECT d.*
  FROM unnest(?::smallint[]) AS asked (lane) CROSS JOIN LATERAL (
    SELECT * FROM {schema}.detour AS d
    WHERE d.route = ? AND d.lane = asked.lane AND d.due <= clock_timestamp()
    ORDER BY d.due
    LIMIT ?
  ) AS d
  ORDER BY d.due
  LIMIT ?
) AS d
CROSS JOIN LATERAL (
  SELECT {event} FROM {schema}.outbox AS o WHERE o.id = d.event_id
) AS e
