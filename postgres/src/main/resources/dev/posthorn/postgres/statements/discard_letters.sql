-- Gives dead letters up; answers which were DEAD still.
-- Locks: the letters, in the order in which they died. Index: dead_letter_pkey. Rows: one for each.
SELECT {schema}.discard_letters(?::uuid[], ?)
