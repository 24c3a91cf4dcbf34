-- A member is done with events that others handed over.
-- Locks: the rows of their keys. Indexes: handover_pkey, handover_key_pkey. Rows: one.
SELECT {schema}.finish_handovers(?, ?, ?::bigint[], ?::text[])
