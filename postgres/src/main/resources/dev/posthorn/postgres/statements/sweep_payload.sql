-- Forgets a payload that no event needs, before it is removed. See the function sweep_payload.
-- Locks: the payload, alone, until the transaction ends; never waits. Index: payload_reference_sha. Rows: one.
SELECT {schema}.sweep_payload(?::bytea, ? * interval '1 millisecond')
