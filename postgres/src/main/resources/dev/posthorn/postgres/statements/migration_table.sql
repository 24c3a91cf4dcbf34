-- Whether the schema and its history are there.
-- Locks: nothing. Index: the catalog's. Rows: 1.
SELECT to_regnamespace(?) IS NOT NULL, to_regclass(?) IS NOT NULL
