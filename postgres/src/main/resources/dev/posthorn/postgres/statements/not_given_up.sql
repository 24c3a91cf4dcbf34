-- Which commands a consumer has not given up. See the function not_given_up.
-- Locks: none. Index: inbox_pkey. Rows: one for each such command.
SELECT {schema}.not_given_up(?, ?, ?::uuid[])
