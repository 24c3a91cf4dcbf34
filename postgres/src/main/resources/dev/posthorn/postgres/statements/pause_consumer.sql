-- Pauses a consumer or lets it go on; false if that was so already.
-- Locks: its row. Index: consumer_pkey. Rows: one.
SELECT {schema}.pause_consumer(?, ?, ?)
