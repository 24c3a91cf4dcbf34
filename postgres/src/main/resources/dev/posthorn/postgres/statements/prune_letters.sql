-- Removes letters that changed longer ago. See the function prune_letters.
-- Locks: the rows it removes. Index: dead_letter_changed_at. Rows: one.
SELECT {schema}.prune_letters(?::text[], ?::text, ?::text[], ? * interval '1 millisecond', ?::int)
