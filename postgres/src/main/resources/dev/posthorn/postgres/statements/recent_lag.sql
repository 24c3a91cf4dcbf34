-- How long the newest published events of each lane took from emit to publish, over all routes.
-- Locks: none. Indexes: outbox_lane_seq, outbox_id; and what the function published uses. Rows: one.
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took.seconds) AS p50,
       percentile_cont(0.99) WITHIN GROUP (ORDER BY took.seconds) AS p99
FROM (
  SELECT greatest(0, extract(epoch FROM p.at - o.created_at))::double precision AS seconds
  FROM generate_series(0, (SELECT g.lanes - 1 FROM {schema}.log AS g)) AS l(lane)
  CROSS JOIN LATERAL (
    SELECT array_agg(newest.id) AS ids
    FROM (SELECT o.id FROM {schema}.outbox AS o WHERE o.lane = l.lane ORDER BY o.seq DESC LIMIT ?) AS newest
  ) AS newest
  CROSS JOIN LATERAL {schema}.published(l.lane::smallint, newest.ids) AS p
  JOIN {schema}.outbox AS o ON o.id = p.id
) AS took
