-- Writes those of the events that are not there yet and tells which they were.
-- Locks: nothing but its own rows; a transaction in flight with one of the ids is waited for.
-- Index: outbox_id finds what is known. Rows: 1, an array of at most as many ids as were given.
SELECT {schema}.emit_once(
  ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
  ?::text[], ?::text[], ?::text[], ?::bytea[], ?::timestamptz[], ?::timestamptz[], ?::bigint[])
