-- Says that payloads are not needed for the archive any more. See the function release_archived_payloads.
-- Locks: the rows it changes. Index: none, it reads all rows of payload_reference. Rows: one.
SELECT {schema}.release_archived_payloads(?::timestamptz, ?::text)
