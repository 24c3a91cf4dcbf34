-- Takes events that other members handed over, and keeps the keys that are held.
-- Locks: the rows of the keys, without waiting for those of others. Indexes: handover_key_since, handover_place. Rows: up to the limit.
SELECT seq, key, headers, body, complete FROM {schema}.take_handovers(?, ?, ?::text[], ?)
