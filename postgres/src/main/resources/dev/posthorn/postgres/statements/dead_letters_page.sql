-- The next dead letters of consumers to decide about, in the order in which they died. Overtaken means that the same handler
-- has handled one of the next ten events of the key; null that the event is not in this log. OFFSET 0: see dead_list.
-- Locks: none. Indexes: dead_letter_state, outbox_id, outbox_key_seq, inbox_pkey. Rows: up to the limit.
SELECT d.name, d.event_id, d.letter, d.place,
  CASE WHEN d.key IS NULL THEN false ELSE (
    SELECT EXISTS (
      SELECT FROM (
        SELECT n.id FROM {schema}.outbox AS n
        WHERE n.key = o.key AND n.seq > o.seq AND n.domain = o.domain ORDER BY n.seq LIMIT 10
      ) AS later
      JOIN {schema}.inbox AS i ON i.event_id = later.id AND i.consumer = d.name AND i.handler = d.handler AND NOT i.dead)
    FROM {schema}.outbox AS o WHERE o.id = d.event_id) END AS overtaken
FROM (
  SELECT * FROM (
    SELECT * FROM {schema}.dead_in_consumer AS l WHERE l.place >= ? AND l.place <= ? ORDER BY l.place OFFSET 0
  ) AS l
  WHERE (l.place, l.name) > (?, ?::text)
    AND l.facts @> ?::jsonb AND coalesce(?::uuid, l.letter) IN (l.letter, l.event_id)
    AND l.at >= ?::timestamptz AND l.at < ?::timestamptz
  ORDER BY l.place
  LIMIT ?
) AS d
ORDER BY d.place
