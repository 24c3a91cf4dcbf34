-- Marks a payload that no event needs, to be removed. See the function mark_payload.
-- Locks: the payload's advisory lock, if nobody has it; the mark. Indexes: payload_reference_sha, payload_sweep_pkey. Rows: one.
SELECT {schema}.mark_payload(?::bytea, ? * interval '1 millisecond', ?::uuid, ? * interval '1 millisecond')
