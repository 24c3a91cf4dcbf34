-- How many transactions have begun since the oldest one that is still open: what it emitted waits, and vacuum waits for it.
-- Locks: none. Index: none, no table is read. Rows: one.
SELECT pg_snapshot_xmin(s.now)::text::numeric::bigint AS xmin, (pg_snapshot_xmax(s.now)::text::numeric - pg_snapshot_xmin(s.now)::text::numeric)::bigint AS xmin_age,
       pg_is_in_recovery() AS standby
FROM (SELECT pg_current_snapshot() AS now) AS s
