-- Creates a route with its lanes and its first checkpoint, from the beginning of what is kept, if there is none of
-- that name yet. Runs under an advisory lock, in one transaction.
-- Locks: the new rows. Index: route_name_key. Rows: one, or none if it exists.
WITH created AS (
  INSERT INTO {schema}.route (name) VALUES (?) ON CONFLICT (name) DO NOTHING RETURNING id
), lanes AS (
  SELECT created.id AS route, lane::smallint AS lane
  FROM created CROSS JOIN {schema}.log CROSS JOIN generate_series(0, log.lanes - 1) AS lane
), leases AS (
  INSERT INTO {schema}.lease (route, lane) SELECT route, lane FROM lanes
), start AS (
  INSERT INTO {schema}.flush (relay, snapshots)
  SELECT '', ARRAY[pg_current_snapshot()] FROM created RETURNING id
)
INSERT INTO {schema}.checkpoint (route, lane, n, flush, position, snapshot)
SELECT lanes.route, lanes.lane, 0, start.id, 0, 1 FROM lanes CROSS JOIN start
