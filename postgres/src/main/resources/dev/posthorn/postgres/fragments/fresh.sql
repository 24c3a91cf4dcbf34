-- The next rows of a lane.
SELECT {event}
  FROM {schema}.outbox AS o
  WHERE o.lane = asked.lane AND o.seq > asked.position
  ORDER BY o.seq
  LIMIT asked.fresh_limit
