-- The relay is gone; others need not count it any more.
-- Locks: its relay row. Index: none needed, relays are few. Rows: one.
DELETE FROM {schema}.relay WHERE route = ? AND name = ?
