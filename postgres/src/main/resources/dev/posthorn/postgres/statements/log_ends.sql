-- Where the log begins and ends now; nothing if it is empty.
-- Locks: none. Index: outbox_lane_seq, at both ends of each lane. Rows: one.
SELECT min(first.seq) AS first, max(last.seq) AS last
FROM generate_series(0, (SELECT g.lanes - 1 FROM {schema}.log AS g)) AS l(lane)
LEFT JOIN LATERAL (
  SELECT o.seq FROM {schema}.outbox AS o WHERE o.lane = l.lane ORDER BY o.seq LIMIT 1
) AS first ON true
LEFT JOIN LATERAL (
  SELECT o.seq FROM {schema}.outbox AS o WHERE o.lane = l.lane ORDER BY o.seq DESC LIMIT 1
) AS last ON true
