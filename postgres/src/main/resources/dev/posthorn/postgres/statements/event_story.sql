-- What happened to one event, in order: emitted, attempts, published, handled, dead, decisions of operators, replays. That it
-- was published is recorded by a checkpoint, which may be written after a consumer has handled it already; a consumer gets only
-- what some route has published, so the first such record stands before what consumers did, whatever its time. The checkpoint names
-- the relay, except for an event that was published after its lane had passed it: then attempts are later than the checkpoint.
-- Locks: none. Indexes: outbox_id, attempt_event, detour_pkey, operator_action_target, inbox_pkey, dead_letter_event.
-- Rows: few; one for each attempt and each handler, at most 1,000.
WITH asked AS (SELECT ?::uuid AS id)
SELECT h.at, h.what, h.place, h.who, left(h.detail, 1000) AS detail FROM asked CROSS JOIN LATERAL (
  SELECT o.created_at AS at, 0 AS rank, 'emitted' AS what, NULL::text AS place, NULL::text AS who,
         'occurred ' || to_char(o.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS detail
  FROM {schema}.outbox AS o WHERE o.id = asked.id
  UNION ALL
  SELECT a.at, 1, 'attempt ' || a.attempt, 'route ' || r.name, 'relay ' || a.relay, concat_ws(', ', a.outcome, a.error)
  FROM {schema}.attempt AS a JOIN {schema}.route AS r ON r.id = a.route WHERE a.event_id = asked.id
  UNION ALL
  SELECT greatest(s.published_at, tried.last), 2, 'published', 'route ' || s.route,
         CASE WHEN tried.last > s.published_at THEN NULL
           ELSE 'relay ' || {schema}.publisher(r.id, o.lane, o.tx, o.seq) END,
         CASE WHEN tried.last > s.published_at
           THEN 'after this failed attempt; the exact time and the relay were not recorded'
           ELSE 'by this time, when a checkpoint recorded it' END
  FROM {schema}.outbox_status AS s
  JOIN {schema}.outbox AS o ON o.id = s.id
  JOIN {schema}.route AS r ON r.name = s.route
  CROSS JOIN LATERAL (
    SELECT max(a.at) AS last FROM {schema}.attempt AS a WHERE a.event_id = s.id AND a.route = r.id
  ) AS tried
  WHERE s.id = asked.id AND s.published_at IS NOT NULL
  UNION ALL
  SELECT d.changed_at, 3, 'dead', 'route ' || r.name, NULL, d.last_error
  FROM {schema}.outbox AS o CROSS JOIN {schema}.route AS r
  JOIN {schema}.detour AS d ON d.route = r.id AND d.seq = o.seq AND d.kind = 'FAILED'
  WHERE o.id = asked.id
  UNION ALL
  SELECT a.at, 4, a.action, (SELECT 'route ' || r.name FROM {schema}.route AS r WHERE r.id = a.route), a.who, a.reason
  FROM {schema}.operator_action AS a
  WHERE a.target = ANY (
    ARRAY[asked.id::text] || ARRAY(SELECT l.id::text FROM {schema}.dead_letter AS l WHERE l.event_id = asked.id))
  UNION ALL
  SELECT i.handled_at, 6, 'handled', 'consumer ' || i.consumer, 'handler ' || i.handler, NULL
  FROM {schema}.inbox AS i WHERE i.event_id = asked.id AND NOT i.dead
  UNION ALL
  SELECT l.occurred_at, 7, 'dead', 'consumer ' || l.consumer, 'handler ' || l.handler,
         concat_ws(', ', l.attempts || ' attempts', l.cause, l.reason)
  FROM {schema}.dead_letter AS l WHERE l.event_id = asked.id
  UNION ALL
  SELECT l.changed_at, 8,
         CASE l.state WHEN 'REDRIVE' THEN 'redriven' WHEN 'HANDLED' THEN 'handled after a redrive' ELSE 'discarded' END,
         'consumer ' || l.consumer, 'handler ' || l.handler, NULL
  FROM {schema}.dead_letter AS l WHERE l.event_id = asked.id AND l.state <> 'DEAD'
  UNION ALL
  SELECT p.started_at, 5, CASE WHEN p.position >= o.seq THEN 'replayed' ELSE 'to be replayed' END,
         p.target_kind || ' ' || p.target, p.who, concat_ws(', ', 'replay ' || p.id, p.state, p.reason)
  FROM {schema}.outbox AS o JOIN {schema}.replay AS p
    ON p."end" >= o.seq AND (p.position >= o.seq OR p.state IN ('RUNNING', 'FAILED'))
  WHERE o.id = asked.id AND pg_visible_in_snapshot(o.tx, p.snapshot)
    AND {schema}.replays(p, o.domain, o.type, o.aggregate_type, o.key, o.tenant, o.created_at, o.deliver_after)
) AS h
ORDER BY CASE WHEN h.rank = 2 AND h.at = min(h.at) FILTER (WHERE h.rank = 2) OVER ()
    THEN least(h.at, min(h.at) FILTER (WHERE h.rank IN (6, 7)) OVER ()) ELSE h.at END, h.rank
LIMIT 1000
