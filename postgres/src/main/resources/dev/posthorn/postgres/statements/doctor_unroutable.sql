-- Kinds of event among the newest of each lane that no live route wants, most frequent first.
-- Locks: none. Index: outbox_lane_seq, backwards in each lane. Rows: at most ten.
SELECT e.domain || '/' || e.type AS kind
FROM generate_series(0, (SELECT g.lanes - 1 FROM {schema}.log AS g)) AS l(lane)
CROSS JOIN LATERAL (
  SELECT o.domain, o.type, o.tenant
  FROM {schema}.outbox AS o
  WHERE o.lane = l.lane
  ORDER BY o.seq DESC
  LIMIT ?
) AS e
WHERE NOT EXISTS (
  SELECT FROM {schema}.route AS r WHERE r.retired_at IS NULL AND {schema}.wants(r, e.domain, e.type, e.tenant))
GROUP BY e.domain, e.type
ORDER BY count(*) DESC, kind
LIMIT 10
