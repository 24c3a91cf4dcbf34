-- How one event stands on each route.
-- Locks: none. Indexes: outbox_id, checkpoint_pkey, detour_pkey. Rows: one for each route that wants it.
SELECT s.route, s.state, s.attempts, s.published_at, s.next_attempt, left(s.last_error, 1000) AS last_error
FROM {schema}.outbox_status AS s WHERE s.id = ?::uuid ORDER BY s.route
