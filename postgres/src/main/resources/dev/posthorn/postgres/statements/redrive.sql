-- Sends an event that failed for good back to its route, and says how.
-- Locks: its detour row, and its key's row if that is held. Indexes: as in the function. Rows: one.
SELECT {schema}.redrive(?, ?::uuid, ?)
