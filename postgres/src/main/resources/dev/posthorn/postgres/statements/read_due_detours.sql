-- Detours of some lanes whose time has come, earliest first, with their events.
-- Locks: none. Indexes: detour_due, then outbox_id. Rows: up to the limit.
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
