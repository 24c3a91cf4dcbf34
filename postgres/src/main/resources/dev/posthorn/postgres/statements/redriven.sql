-- Dead letters that were sent back to a consumer, the oldest of each key and handler.
-- Locks: none. Index: dead_letter_redrive. Rows: up to the limit.
SELECT id, handler, headers, body FROM {schema}.redriven(?, ?)
