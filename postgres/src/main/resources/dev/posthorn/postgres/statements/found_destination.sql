-- See the function found_destination.
-- Locks: the destination's row, if it is new or was missing. Index: destination_pkey. Rows: one.
SELECT {schema}.found_destination(?, ?, ?)
