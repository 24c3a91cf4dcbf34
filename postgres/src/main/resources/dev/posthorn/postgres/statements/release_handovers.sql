-- A member gives back what it has taken.
-- Locks: the rows of the keys. Index: handover_key_pkey, all of the consumer's keys. Rows: one.
SELECT {schema}.release_handovers(?, ?)
