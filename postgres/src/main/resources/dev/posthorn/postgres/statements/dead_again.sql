-- A redriven letter failed again; null if it is not redriven any more.
-- Locks: the letter. Index: dead_letter_pkey. Rows: one.
SELECT {schema}.dead_again(?::uuid, ?)
