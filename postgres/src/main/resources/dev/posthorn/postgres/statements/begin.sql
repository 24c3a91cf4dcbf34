-- Begins a transaction in the round trip of the statements after it. The driver's own BEGIN goes along as well, but the server
-- answers that one by itself, which takes both sides another system call and wakes the client up for nothing.
-- Locks: none. Index: none. Rows: 0.
BEGIN
