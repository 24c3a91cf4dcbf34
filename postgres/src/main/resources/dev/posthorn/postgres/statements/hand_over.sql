-- Stores an event for another member of a consumer, behind those of its key; answers whether it is stored.
-- Locks: the row of its key. Indexes: handover_key_pkey, handover_consumer_event_id_key. Rows: one.
SELECT {schema}.hand_over(ROW(NULL, ?, ?, ?::uuid, ?, ?, ?::jsonb, ?::bytea, NULL, ?, NULL)::{schema}.handover, ?)
