-- Says that events refer to payloads that are kept elsewhere. See the function claim_payloads.
-- Locks: each payload, shared, until the transaction ends. Index: payload_reference_pkey. Rows: one.
SELECT {schema}.claim_payloads(?::uuid[], ?::bytea[], ?::bigint[])
