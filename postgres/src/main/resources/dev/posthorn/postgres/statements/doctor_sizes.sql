-- How many of the newest events of each lane a route wants though their payload is larger than a limit, and the largest of them.
-- Locks: none. Index: outbox_lane_seq, backwards in each lane; of a payload only its length is read. Rows: one if there are such
-- events, otherwise none.
SELECT count(*) AS larger, max(e.bytes) AS largest,
       (array_agg(e.domain || '/' || e.type ORDER BY e.bytes DESC))[1] AS kind
FROM {schema}.route AS r
CROSS JOIN generate_series(0, (SELECT g.lanes - 1 FROM {schema}.log AS g)) AS l (lane)
CROSS JOIN LATERAL (
  SELECT o.domain, o.type, o.tenant, octet_length(o.payload) AS bytes
  FROM {schema}.outbox AS o
  WHERE o.lane = l.lane
  ORDER BY o.seq DESC
  LIMIT ?
) AS e
WHERE r.name = ? AND r.retired_at IS NULL AND e.bytes > ? AND {schema}.wants(r, e.domain, e.type, e.tenant)
HAVING count(*) > 0
