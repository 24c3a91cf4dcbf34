-- Takes a redriven letter in its handler's transaction; false if there is none to take.
-- Locks: the letter and its event's mark; waits for whoever has them. Indexes: dead_letter_pkey, inbox_pkey. Rows: one.
SELECT {schema}.take_letter(?::uuid)
