-- Gives events up that failed for good, and says what becomes of their keys. Fails if one is not FAILED any more.
-- Locks: their detour rows, and the rows of keys that are held. Indexes: as in the function. Rows: one for each.
SELECT e.event, {schema}.discard(e.route, e.event, ?) AS answer
FROM unnest(?::text[], ?::uuid[]) WITH ORDINALITY AS e (route, event, n)
CROSS JOIN (SELECT {schema}.add_to_bulk(?::bigint, ?::bigint)) AS counted
ORDER BY e.n
