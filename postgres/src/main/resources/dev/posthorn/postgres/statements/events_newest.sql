-- The newest events of a stretch of the log, from the last to the first, without payload and headers, with how each stands on
-- its routes.
-- Locks: none. Indexes: outbox_lane_seq, backwards in each lane, further the fewer events fit, but not out of the stretch; for
-- the found, those of outbox_status by id. Rows: up to the limit.
WITH asked AS (
  SELECT ?::bigint AS first, ?::bigint AS before, ?::text AS domain, ?::text AS type, ?::text AS tenant,
         ?::text AS correlation, ?::int AS most
)
SELECT e.seq, e.id, e.domain, e.type, e.key, e.tenant, e.created_at,
       ARRAY(SELECT s.route || ' ' || s.state FROM {schema}.outbox_status AS s WHERE s.id = e.id ORDER BY s.route) AS states
FROM (
  SELECT found.*
  FROM asked
  CROSS JOIN LATERAL generate_series(0, (SELECT g.lanes - 1 FROM {schema}.log AS g)) AS l(lane)
  CROSS JOIN LATERAL (
    SELECT o.seq, o.id, o.domain, o.type, o.key, o.tenant, o.created_at
    FROM {schema}.outbox AS o
    WHERE o.lane = l.lane AND o.seq >= asked.first AND o.seq < asked.before
      AND (asked.domain IS NULL OR o.domain = asked.domain)
      AND (asked.type IS NULL OR o.type = asked.type)
      AND (asked.tenant IS NULL OR asked.tenant IN (o.tenant, split_part(o.tenant, '/', 1) || '/*'))
      AND (asked.correlation IS NULL OR o.correlation_id = asked.correlation)
    ORDER BY o.seq DESC
    LIMIT asked.most
  ) AS found
  ORDER BY found.seq DESC
  LIMIT (SELECT asked.most FROM asked)
) AS e
ORDER BY e.seq DESC
