-- Whole events by id, with all that the archive keeps of them, in the order of the ids.
-- Locks: none. Index: outbox_id. Rows: at most one for each id.
SELECT e.*
FROM unnest(?::uuid[]) WITH ORDINALITY AS asked (id, n) CROSS JOIN LATERAL (
  SELECT o.lane, false AS is_late, {whole_event}, o.tx::text AS tx, timestamptz_send(o.created_at) AS created_at,
         o.headers::text AS headers_json
  FROM {schema}.outbox AS o WHERE o.id = asked.id
) AS e
ORDER BY asked.n
