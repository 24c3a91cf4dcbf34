-- Payloads of which nothing is known. See the function unknown_payloads.
-- Locks: none. Index: payload_reference_sha. Rows: at most as many as asked about.
SELECT encode(r.sha256, 'hex') FROM {schema}.unknown_payloads(?::bytea[]) AS r (sha256)
