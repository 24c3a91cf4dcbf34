-- How many events that members handed over wait for a handler of each consumer, and since when.
-- Locks: none. Index: none, a row for each event that waits. Rows: one for each consumer that has any.
SELECT w.consumer, count(*) AS waiting, min(w.stored_at) AS since,
  extract(epoch FROM clock_timestamp() - min(w.stored_at))::double precision AS seconds
FROM {schema}.waiting_handover AS w
GROUP BY w.consumer
ORDER BY w.consumer
