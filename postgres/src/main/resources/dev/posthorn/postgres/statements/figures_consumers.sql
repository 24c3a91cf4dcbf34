-- How each consumer is by the word of its members. If all of them are silent, its lag is what it last was, and the silence.
-- Locks: none. Index: none, a row for each member. Rows: one for each consumer that has members.
SELECT m.consumer, count(*) FILTER (WHERE m.alive) AS members, count(*) FILTER (WHERE NOT m.alive) AS silent,
       coalesce(max(m.lag) FILTER (WHERE m.alive), min(m.lag + m.silence)) AS lag_seconds,
       sum(m.handled)::bigint AS handled, sum(m.skipped)::bigint AS duplicates
FROM (
  SELECT y.consumer, y.handled, y.skipped, y.lag_p99_ms / 1000 AS lag, silence.seconds AS silence,
         silence.seconds <= ? AS alive
  FROM {schema}.consumer_member AS y
  CROSS JOIN LATERAL (
    SELECT extract(epoch FROM clock_timestamp() - y.seen_at)::double precision AS seconds
  ) AS silence
) AS m
GROUP BY m.consumer
ORDER BY m.consumer
