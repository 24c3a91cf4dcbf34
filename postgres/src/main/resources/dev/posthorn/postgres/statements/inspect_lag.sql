-- How long events took from emit until their lane had passed them, for each route that is not retired: by the newest checkpoints of
-- its lanes, each by the oldest event that it passed. Checkpoints of the last minutes only; a route without has no row.
-- Locks: none. Indexes: checkpoint_pkey (backwards), flush_pkey, outbox_lane_seq. Rows: one for each route.
SELECT r.name AS route, percentile_cont(0.5) WITHIN GROUP (ORDER BY took.seconds) AS p50,
       percentile_cont(0.99) WITHIN GROUP (ORDER BY took.seconds) AS p99
FROM {schema}.route AS r
CROSS JOIN LATERAL (
  SELECT extract(epoch FROM f.at - first.created_at)::double precision AS seconds
  FROM {schema}.lease AS l
  CROSS JOIN LATERAL (
    SELECT c.flush, c.position, lead(c.position) OVER (ORDER BY c.n DESC) AS before
    FROM (
      SELECT c.* FROM {schema}.checkpoint AS c WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT ?
    ) AS c
  ) AS step
  JOIN {schema}.flush AS f ON f.id = step.flush
  CROSS JOIN LATERAL (
    SELECT o.created_at FROM {schema}.outbox AS o
    WHERE o.lane = l.lane AND o.seq > step.before AND o.seq <= step.position
    ORDER BY o.seq LIMIT 1
  ) AS first
  WHERE l.route = r.id AND f.at > clock_timestamp() - ? * interval '1 second'
) AS took
WHERE r.retired_at IS NULL
GROUP BY r.name
ORDER BY r.name
