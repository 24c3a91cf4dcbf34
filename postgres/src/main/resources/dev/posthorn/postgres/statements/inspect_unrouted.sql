-- Kinds of event that lie on no route, among the first and the newest of each lane, most frequent first: emitted before every route
-- began, or wanted by none.
-- Locks: none. Index: outbox_lane_seq from both ends of each lane, then those of outbox_status. Rows: at most ten.
SELECT e.domain || '/' || e.type AS kind, count(*) AS events
FROM generate_series(0, (SELECT g.lanes - 1 FROM {schema}.log AS g)) AS l(lane)
CROSS JOIN LATERAL (
  (SELECT o.id, o.domain, o.type FROM {schema}.outbox AS o WHERE o.lane = l.lane ORDER BY o.seq LIMIT ?)
  UNION
  (SELECT o.id, o.domain, o.type FROM {schema}.outbox AS o WHERE o.lane = l.lane ORDER BY o.seq DESC LIMIT ?)
) AS e
WHERE NOT EXISTS (SELECT FROM {schema}.outbox_status AS s WHERE s.id = e.id)
GROUP BY e.domain, e.type
ORDER BY events DESC, kind
LIMIT 10
