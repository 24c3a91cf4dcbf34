-- The next payloads that no event needs. See the function released_payloads.
-- Locks: none. Index: payload_reference_sha. Rows: at most as many as asked for.
SELECT encode(r.sha256, 'hex') FROM {schema}.released_payloads(?::bytea, ? * interval '1 millisecond', ?::int) AS r (sha256)
