-- Removes calls to the outside that are older. See the function prune_calls.
-- Locks: the rows it removes. Index: outside_call_claimed_at. Rows: one.
SELECT {schema}.prune_calls(? * interval '1 millisecond', ?::int)
