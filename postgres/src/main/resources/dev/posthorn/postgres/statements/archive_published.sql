-- When each route published these events of a lane. See the function published.
-- Locks: none. Index: outbox_id, checkpoint_pkey. Rows: one for each event and route that published it.
SELECT p.id, p.route, timestamptz_send(p.at) AS at FROM {schema}.published(?::smallint, ?::uuid[]) AS p
