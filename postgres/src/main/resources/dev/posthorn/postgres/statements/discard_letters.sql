-- Gives dead letters up; answers which were DEAD still, and counts them into the entry of the audit, if any.
-- Locks: the letters, in the order in which they died. Index: dead_letter_pkey. Rows: one for each.
WITH changed AS MATERIALIZED (SELECT d.id FROM {schema}.discard_letters(?::uuid[], ?) AS d (id))
SELECT c.id FROM changed AS c CROSS JOIN (SELECT {schema}.add_to_bulk(?::bigint, (SELECT count(*) FROM changed))) AS counted
