-- A member says how it is; answers whether its consumer is paused.
-- Locks: the member's row. Indexes: consumer_pkey, consumer_member_pkey. Rows: one.
SELECT {schema}.report_consumer(ROW(?, ?, NULL, NULL, ?, ?, ?, ?, ?, ?, ?, ?)::{schema}.consumer_member)
