-- A member has ended, and so have its registrations.
-- Locks: the member's rows. Indexes: consumer_member_pkey, consumer_registration_pkey. Rows: one.
SELECT {schema}.leave_consumer(?, ?), {schema}.unregister_member(?, ?)
