-- Removes positions that moved longer ago. See the function prune_positions.
-- Locks: the rows it removes; skips those that others have. Index: position_moved_on. Rows: one.
SELECT {schema}.prune_positions(? * interval '1 millisecond', ?::int)
