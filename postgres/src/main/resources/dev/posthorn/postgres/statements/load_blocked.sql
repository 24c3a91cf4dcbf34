-- Blocked keys of some lanes; all of them, or those of a list.
-- Locks: none. Index: blocked_key_pkey. Rows: one for each key that waits.
SELECT b.lane, b.key, b."from"::text, b."to"::text, b.passed, b.head, b.attempts,
       greatest(0, date_part('epoch', b.next_attempt - clock_timestamp()) * 1000000)::bigint AS pause_us,
       b.last_error, b.held
FROM {schema}.blocked_key AS b
WHERE b.route = ? AND b.lane = ANY (?::smallint[]) AND (?::text[] IS NULL OR b.key = ANY (?::text[]))
