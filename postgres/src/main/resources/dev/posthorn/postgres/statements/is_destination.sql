-- Whether a destination existed before.
-- Locks: none. Index: destination_pkey. Rows: one.
SELECT {schema}.is_destination(?, ?, ?)
