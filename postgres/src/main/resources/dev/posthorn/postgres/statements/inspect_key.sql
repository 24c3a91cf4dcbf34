-- Where one key waits, with the event that it waits for and how many of its events wait, counted up to a limit. Those that a
-- route's filter leaves out are counted too.
-- Locks: none. Indexes: outbox_key_seq, from the last event that is done; only keys that wait have rows. Rows: one for each
-- route where it waits.
SELECT r.name AS route, b.lane, b.key, b.attempts, b.held, b.blocked_at, b.next_attempt,
       left(b.last_error, 1000) AS last_error, waiting.events,
       coalesce((SELECT o.id FROM {schema}.outbox AS o WHERE o.key = b.key AND o.seq = b.head), waiting.first) AS head
FROM {schema}.blocked_key AS b
JOIN {schema}.route AS r ON r.id = b.route
CROSS JOIN LATERAL (
  SELECT count(*) AS events, (array_agg(w.id ORDER BY w.seq))[1] AS first
  FROM (
    SELECT o.id, o.seq FROM {schema}.outbox AS o
    WHERE o.key = b.key AND o.seq > b.passed AND NOT {schema}.covers(b."from", o.tx, o.seq)
    ORDER BY o.seq
    LIMIT ?
  ) AS w
) AS waiting
WHERE b.key = ?::text COLLATE "C"
ORDER BY r.name
