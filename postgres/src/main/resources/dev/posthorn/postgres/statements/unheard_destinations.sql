-- See the function unheard_destinations.
-- Locks: rows of destinations whose state changes. Index: destination_pkey. Rows: one.
SELECT {schema}.unheard_destinations(?, ?)
