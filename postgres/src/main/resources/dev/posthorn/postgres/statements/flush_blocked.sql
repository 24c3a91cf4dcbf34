-- Writes blocked keys: new ones, and how far known ones have come.
-- Locks: the rows written. Index: blocked_key_pkey. Rows: one for each key that changed.
INSERT INTO {schema}.blocked_key
  (route, lane, key, "from", "to", passed, head, attempts, next_attempt, last_error, held)
SELECT ?, b.lane, b.key, b."from"::{schema}.log_cursor, b."to"::{schema}.log_cursor, b.passed, b.head, b.attempts,
       clock_timestamp() + b.pause_us * interval '1 microsecond', b.last_error, b.held
FROM unnest(?::smallint[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::int[], ?::bigint[], ?::text[],
            ?::boolean[])
  AS b (lane, key, "from", "to", passed, head, attempts, pause_us, last_error, held)
ON CONFLICT (route, lane, key) DO UPDATE SET
  "from" = excluded."from", "to" = excluded."to", passed = excluded.passed, head = excluded.head,
  attempts = excluded.attempts, next_attempt = excluded.next_attempt, last_error = excluded.last_error,
  held = excluded.held
