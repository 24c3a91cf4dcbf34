-- Sends dead letters back to their consumers; answers which were DEAD still.
-- Locks: the letters, in the order in which they died. Index: dead_letter_pkey. Rows: one for each.
SELECT {schema}.redrive_letters(?::uuid[], ?, ?)
