-- See the function rebase.
-- Locks: every lease, then the outbox against everyone. Indexes: as in the functions. Rows: one for each route.
SELECT route, unread, blocked_keys, repeated, forgotten FROM {schema}.rebase(?)
