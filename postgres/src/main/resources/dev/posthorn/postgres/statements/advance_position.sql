-- Moves a handler's position in a key, or tells where it is. See the function advance_position.
-- Locks: the position's row, until the transaction ends; waits for whoever has it. Index: position_pkey. Rows: one.
SELECT {schema}.advance_position(?, ?, ?, ?::bigint, ?::boolean)
