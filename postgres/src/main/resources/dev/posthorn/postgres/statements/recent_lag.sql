-- How long events took from emit until their lane had passed them, over all routes that are not retired: by the newest
-- checkpoints of their lanes, each by the oldest event that it passed.
-- Locks: none. Indexes: checkpoint_pkey (backwards), flush_pkey, outbox_lane_seq. Rows: one if there is such a checkpoint,
-- otherwise none.
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took.seconds) AS p50,
       percentile_cont(0.99) WITHIN GROUP (ORDER BY took.seconds) AS p99
FROM (
  SELECT extract(epoch FROM f.at - first.created_at)::double precision AS seconds
  FROM {schema}.route AS r
  JOIN {schema}.lease AS l ON l.route = r.id
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
  WHERE r.retired_at IS NULL
) AS took
HAVING count(*) > 0
