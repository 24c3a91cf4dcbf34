-- Gives lanes back at once.
-- Locks: their lease rows. Index: none needed, a route has a row for each lane. Rows: one for each lane.
UPDATE {schema}.lease AS l
SET owner = NULL, expires_at = '-infinity'
FROM unnest(?::smallint[], ?::bigint[]) AS mine (lane, epoch)
WHERE l.route = ? AND l.lane = mine.lane AND l.owner = ? AND l.epoch = mine.epoch
