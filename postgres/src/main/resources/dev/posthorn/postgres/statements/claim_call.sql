-- Claims a call to the outside, or tells what was answered, or for how long another has it. See the function claim_call.
-- Locks: the call's row; waits for whoever claims it now. Index: outside_call_pkey. Rows: one.
SELECT c.mine, c.answer, ceil(extract(epoch FROM c.remaining) * 1000)::bigint AS remaining_ms
FROM {schema}.claim_call(?, ?::uuid, ?::uuid, ? * interval '1 millisecond') AS c
