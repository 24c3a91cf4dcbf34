-- The next events of a replay; before them a row without an event that says how far they reach. See the function replay_page.
-- Locks: none. Indexes: outbox_lane_seq, outbox_key_seq. Rows: none if the claim is lost; else one, and up to the limit.
SELECT 0::smallint AS lane, false AS is_late, {whole_event}, p.reach
FROM {schema}.replay_page(?::uuid, ?::bigint, ?::bigint, ?::int, ?::bigint) AS p
CROSS JOIN LATERAL (SELECT (p.event).*) AS o
