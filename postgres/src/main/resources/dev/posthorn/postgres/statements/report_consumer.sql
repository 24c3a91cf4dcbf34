-- A member says how it is and which handlers it has; answers whether its consumer is paused, and what the other members have.
-- Locks: the member's rows. Indexes: consumer_pkey, consumer_member_pkey, consumer_registration_pkey. Rows: one.
SELECT {schema}.report_consumer(ROW(?, ?, NULL, NULL, ?, ?, ?, ?, ?, ?, ?, ?)::{schema}.consumer_member) AS paused,
  r.digest, r.mixed, r.agreed, r.waiting, r.other_names, r.other_domains, r.other_types
FROM {schema}.register_member(?, ?, ?, ?, ?, ?, ?, ?, ?) AS r
