-- Lets one transaction at a time emit each of these keys. A statement of its own, because the INSERT after it must take its
-- place in the log when the lock is held, not when it was asked for.
-- Locks: one transaction-level advisory lock for each distinct key, in a fixed order so that two calls can not deadlock.
-- Index: none. Rows: one for each distinct key.
SELECT pg_advisory_xact_lock(distinct_key.hash)
FROM (SELECT DISTINCT hashtextextended(key COLLATE "C", 7) AS hash FROM unnest(?::text[]) AS key ORDER BY hash) AS distinct_key
