-- Which of these events are kept here. See the function kept_events.
-- Locks: none. Index: outbox_id and dead_letter_event. Rows: at most one for each id.
SELECT k.id FROM {schema}.kept_events(?::uuid[]) AS k (id)
