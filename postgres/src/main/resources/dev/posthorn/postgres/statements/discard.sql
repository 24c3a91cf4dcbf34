-- Gives up an event that failed for good, and says what becomes of its key.
-- Locks: its detour row, and its key's row if that is held. Indexes: as in the function. Rows: one.
SELECT {schema}.discard(?, ?::uuid, ?)
