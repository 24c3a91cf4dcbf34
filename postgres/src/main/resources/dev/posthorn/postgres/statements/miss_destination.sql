-- See the function miss_destination.
-- Locks: the destination's row. Index: destination_pkey. Rows: one.
SELECT {schema}.miss_destination(?, ?, ?)
