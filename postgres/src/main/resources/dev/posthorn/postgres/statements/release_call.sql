-- Lets the next one make a call to the outside at once. See the function release_call.
-- Locks: the call's row. Index: outside_call_pkey. Rows: one.
SELECT {schema}.release_call(?, ?::uuid, ?::uuid)
