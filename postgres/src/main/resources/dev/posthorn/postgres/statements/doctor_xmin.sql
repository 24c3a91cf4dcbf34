-- Who holds back vacuum without a transaction of its own in this database: replication slots, and standbys that tell the server
-- what they still read.
-- Locks: none. Index: none, there are few. Rows: one for each.
SELECT format('replication slot "%s" holds back vacuum by %s transactions', s.slot_name, held.age)
FROM pg_replication_slots AS s
CROSS JOIN LATERAL (SELECT greatest(age(s.xmin), age(s.catalog_xmin)) AS age) AS held
WHERE held.age > ?
UNION ALL
SELECT format('standby %s, process %s, holds back vacuum by %s transactions',
         coalesce(nullif(r.application_name, ''), 'unnamed'), r.pid, age(r.backend_xmin))
FROM pg_stat_replication AS r
WHERE age(r.backend_xmin) > ?
LIMIT 10
