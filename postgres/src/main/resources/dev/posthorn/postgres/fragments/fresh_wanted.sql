-- Of the next rows of a lane those that are the route's, and the last one whatever it is.
SELECT {event}
  FROM (
    SELECT next.*, lead(next.seq) OVER (ORDER BY next.seq) IS NULL AS is_last
    FROM (
      SELECT * FROM {schema}.outbox AS o
      WHERE o.lane = asked.lane AND o.seq > asked.position
      ORDER BY o.seq
      LIMIT asked.fresh_limit
    ) AS next
  ) AS o
  WHERE o.is_last OR {wanted}
  ORDER BY o.seq
