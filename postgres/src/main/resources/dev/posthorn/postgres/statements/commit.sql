-- Ends the caller's transaction in the round trip of the statement before it. If that one fails, this one is not run.
-- Locks: releases all. Index: none. Rows: 0.
COMMIT
