-- Blocked keys of some lanes; all of them, or those of a list. Before them the incarnation in which they stand.
-- Locks: none. Index: blocked_key_pkey. Rows: one, and one for each key that waits.
SELECT -1::smallint AS lane, {schema}.incarnation() AS key, NULL::text, NULL::text, 0::bigint, NULL::bigint, 0, 0::bigint, NULL::text, false
UNION ALL
SELECT b.lane, b.key, b."from"::text, b."to"::text, b.passed, b.head, b.attempts,
       greatest(0, date_part('epoch', b.next_attempt - clock_timestamp()) * 1000000)::bigint AS pause_us,
       b.last_error, b.held
FROM {schema}.blocked_key AS b
WHERE b.route = ? AND b.lane = ANY (?::smallint[]) AND (?::text[] IS NULL OR b.key = ANY (?::text[]))
