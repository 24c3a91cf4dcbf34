-- Records attempts that did not go through. Insert-only.
-- Locks: none. Index: none is read. Rows: one for each attempt.
INSERT INTO {schema}.attempt (route, relay, seq, event_id, attempt, outcome, error)
SELECT ?, ?, a.seq, a.event_id, a.attempt, a.outcome, a.error
FROM unnest(?::bigint[], ?::uuid[], ?::int[], ?::text[], ?::text[]) AS a (seq, event_id, attempt, outcome, error)
