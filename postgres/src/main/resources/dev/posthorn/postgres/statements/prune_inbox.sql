-- Removes marks of the inbox that are older. See the function prune_inbox.
-- Locks: the rows it removes. Index: inbox_handled_at. Rows: one.
SELECT {schema}.prune_inbox(? * interval '1 millisecond', ?::int)
