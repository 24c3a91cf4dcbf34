-- Creates a route with its lanes and its first checkpoint if there is none of that name yet. Runs under an advisory lock,
-- in one transaction. Where it begins: at the beginning of what is kept, after everything there is now, or at a time.
-- For "now" the sequence is read after the snapshot was taken: what commits later is late or fresh, never missed.
-- Locks: the new rows. Index: route_name_key; a time is looked for in the whole log, once. Rows: one, or none if it exists.
WITH asked AS (
  SELECT a.* FROM (SELECT ?::text, ?::text[], ?::text[], ?::text[], ?::text[], ?::text, ?::timestamptz)
    AS a (name, domains, types, tenants, except_tenants, start, since)
), created AS (
  INSERT INTO {schema}.route (name, domains, types, tenants, except_tenants, start)
  SELECT name, domains, types, tenants, except_tenants, start FROM asked
  ON CONFLICT (name) DO NOTHING RETURNING id
), lanes AS (
  SELECT created.id AS route, lane::smallint AS lane
  FROM created CROSS JOIN {schema}.log CROSS JOIN generate_series(0, log.lanes - 1) AS lane
), leases AS (
  INSERT INTO {schema}.lease (route, lane) SELECT route, lane FROM lanes
), start AS (
  INSERT INTO {schema}.flush (relay, snapshots)
  SELECT '', ARRAY[{schema}.current_snapshot()] FROM created RETURNING id
), place AS (
  SELECT CASE asked.start
    WHEN 'beginning' THEN 0
    WHEN 'now' THEN last.last_value
    ELSE coalesce((SELECT min(o.seq) - 1 FROM {schema}.outbox AS o WHERE o.created_at >= asked.since), last.last_value)
  END AS position
  FROM asked CROSS JOIN {schema}.outbox_seq_seq AS last
)
INSERT INTO {schema}.checkpoint (route, lane, n, flush, position, snapshot)
SELECT lanes.route, lanes.lane, 0, start.id, place.position, 1 FROM lanes CROSS JOIN start CROSS JOIN place
