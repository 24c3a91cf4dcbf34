-- Takes the mark of a payload away, with what is known of it if it was removed. See the function unmark_payload.
-- Locks: the mark and the rows it removes; waits for whoever takes the mark away. Indexes: payload_sweep_pkey,
-- payload_reference_sha. Rows: one.
SELECT {schema}.unmark_payload(?::bytea, ?::uuid, ?::boolean)
