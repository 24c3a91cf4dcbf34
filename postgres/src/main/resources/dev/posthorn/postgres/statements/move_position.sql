-- Passes over what a key waits for, by an operator. See the function move_position.
-- Locks: the position's row; waits for whoever has it. Index: position_pkey. Rows: one.
SELECT {schema}.move_position(?, ?, ?, ?::bigint, ?)
