-- Takes lanes that nobody holds or whose lease has run out by the database's clock, each with a new epoch.
-- Locks: their lease rows FOR UPDATE, which a flush of the former owner (FOR KEY SHARE) excludes; never waits.
-- Index: none needed, a route has a row for each lane. Rows: up to the limit.
UPDATE {schema}.lease AS l
SET owner = ?, epoch = l.epoch + 1, expires_at = clock_timestamp() + ? * interval '1 millisecond'
FROM (
  SELECT f.lane FROM {schema}.lease AS f
  WHERE f.route = ? AND (f.owner IS NULL OR f.expires_at < clock_timestamp())
  ORDER BY f.lane
  LIMIT ?
  FOR UPDATE SKIP LOCKED
) AS free
WHERE l.route = ? AND l.lane = free.lane
RETURNING l.lane, l.epoch
