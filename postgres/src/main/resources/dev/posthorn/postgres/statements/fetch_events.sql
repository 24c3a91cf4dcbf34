-- Whole events by id, for payloads that a page left out.
-- Locks: none. Index: outbox_id. Rows: at most one for each id.
SELECT 0::smallint AS lane, false AS is_late, e.*
FROM unnest(?::uuid[]) AS asked (id) CROSS JOIN LATERAL (
  SELECT {whole_event} FROM {schema}.outbox AS o WHERE o.id = asked.id
) AS e
