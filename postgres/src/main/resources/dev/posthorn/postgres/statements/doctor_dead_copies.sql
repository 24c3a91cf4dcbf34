-- Tables with the name of a view that stands in for one. Seed views are those with a trigger "emit".
-- Locks: none. Index: those of the catalog. Rows: one for each such table.
SELECT format('the table %I.%I has the name of the view %I.%I', n.nspname, c.relname, vn.nspname, v.relname)
FROM pg_trigger AS t
JOIN pg_class AS v ON v.oid = t.tgrelid AND v.relkind = 'v'
JOIN pg_namespace AS vn ON vn.oid = v.relnamespace
JOIN pg_class AS c ON c.relname = v.relname AND c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname <> ?
WHERE t.tgname = 'emit' AND NOT t.tgisinternal
ORDER BY 1
LIMIT 10
