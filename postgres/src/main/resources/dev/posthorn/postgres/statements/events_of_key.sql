-- The newest events of one key, from the last to the first, without payload and headers, with how each stands on its routes.
-- Locks: none. Indexes: outbox_key_seq, backwards; for the found, those of outbox_status by id. Rows: up to the limit.
SELECT e.seq, e.id, e.domain, e.type, e.key, e.tenant, e.created_at,
       ARRAY(SELECT s.route || ' ' || s.state FROM {schema}.outbox_status AS s WHERE s.id = e.id ORDER BY s.route) AS states
FROM (
  SELECT o.seq, o.id, o.domain, o.type, o.key, o.tenant, o.created_at
  FROM {schema}.outbox AS o
  WHERE o.key = ?::text COLLATE "C" AND o.seq < ?::bigint
  ORDER BY o.seq DESC
  LIMIT ?
) AS e
ORDER BY e.seq DESC
