-- Every consumer with its dead letters, and how each of its members is.
-- Locks: none. Indexes: consumer_pkey, an index of dead_letter. Rows: one for each
-- member, or one for a consumer without, at most 5,000; reads all that is dead.
SELECT c.name, c.created_at, c.paused_at, coalesce(l.letters, 0) AS letters, m.member, m.started_at, m.seen_at,
  extract(epoch FROM clock_timestamp() - m.seen_at)::double precision AS silent_seconds, m.handled, m.skipped, m.retried, m.dead,
  m.lag_p50_ms, m.lag_p99_ms, m.handler_p99_ms, left(m.trouble, 1000) AS trouble
FROM {schema}.consumer AS c
LEFT JOIN (
  SELECT d.consumer, count(*) AS letters FROM {schema}.dead_letter AS d WHERE d.state = 'DEAD' GROUP BY d.consumer
) AS l ON l.consumer = c.name
LEFT JOIN {schema}.consumer_member AS m ON m.consumer = c.name
ORDER BY c.name, m.member
LIMIT 5000
