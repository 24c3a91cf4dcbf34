-- Removes detours that were published.
-- Locks: the rows removed. Index: detour_pkey. Rows: one for each event.
DELETE FROM {schema}.detour WHERE route = ? AND seq = ANY (?::bigint[])
