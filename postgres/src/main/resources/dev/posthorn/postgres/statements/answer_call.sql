-- Keeps the answer of a call to the outside; false if the claim was lost. See the function answer_call.
-- Locks: the call's row. Index: outside_call_pkey. Rows: one.
SELECT {schema}.answer_call(?, ?::uuid, ?::uuid, ?)
