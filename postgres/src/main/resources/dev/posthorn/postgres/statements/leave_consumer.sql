-- A member has ended.
-- Locks: the member's row. Index: consumer_member_pkey. Rows: one.
SELECT {schema}.leave_consumer(?, ?)
