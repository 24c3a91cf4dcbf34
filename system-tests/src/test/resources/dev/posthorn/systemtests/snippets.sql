-- docs:start:producer-emit
SELECT posthorn.emit('shop', 'order.placed', '{"total": 4200}', key => 'order-17');
-- docs:end:producer-emit

-- docs:start:producer-emit-json
SELECT posthorn.emit('shop', 'order.placed', jsonb_build_object('total', 4200), key => 'order-20', tenant => 'acme');
-- docs:end:producer-emit-json

-- docs:start:producer-emit-once
SELECT posthorn.emit_once('01890a5d-ac96-774b-bcce-b302099a8059', 'shop', 'order.placed', '{"total": 4200}', key => 'order-21');
-- docs:end:producer-emit-once

-- docs:start:producer-insert
BEGIN;
INSERT INTO orders (id, total) VALUES ('order-18', 4200);
INSERT INTO posthorn.outbox (domain, type, key, payload)
VALUES ('shop', 'order.placed', 'order-18', convert_to('{"total": 4200}', 'UTF8'));
COMMIT;
-- docs:end:producer-insert

-- docs:start:producer-emit-all
SELECT posthorn.emit(
  domain         => 'shop',
  type           => 'order.placed',
  payload        => '\x0801'::bytea,
  key            => 'order-19',
  id             => '01890a5d-ac96-774b-bcce-b302099a8057',
  sequence       => 1,
  aggregate_type => 'order',
  aggregate_id   => '19',
  tenant         => 'acme',
  correlation_id => 'request-7',
  causation_id   => 'command-7',
  traceparent    => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  headers        => '{"source": "till"}',
  content_type   => 'application/x-protobuf',
  occurred_at    => '2026-01-01T12:00:00Z',
  deliver_after  => now() + interval '1 hour');
-- docs:end:producer-emit-all

-- docs:start:producer-grants
SELECT posthorn.grant_role('producer', 'shop_service');
-- docs:end:producer-grants

-- docs:start:relay-grants
SELECT posthorn.grant_role('relay', 'shop_relay');
-- docs:end:relay-grants

-- docs:start:operator-grants
SELECT posthorn.grant_role('operator', 'shop_operator');
-- docs:end:operator-grants

-- docs:start:viewer-grants
SELECT posthorn.grant_role('viewer', 'shop_viewer');
-- docs:end:viewer-grants

-- docs:start:revoke-role
SELECT posthorn.revoke_role('shop_viewer');
-- docs:end:revoke-role

-- docs:start:status-of-event
SELECT route, state, attempts, published_at, next_attempt, last_error
FROM posthorn.outbox_status
WHERE id = '01890a5d-ac96-774b-bcce-b302099a8057';
-- docs:end:status-of-event

-- docs:start:dead-letters
SELECT r.name AS route, d.event_id, d.key, d.attempts, d.last_error, d.changed_at
FROM posthorn.detour d JOIN posthorn.route r ON r.id = d.route
WHERE d.kind = 'FAILED'
ORDER BY d.changed_at;
-- docs:end:dead-letters

-- docs:start:blocked-keys
SELECT r.name AS route, b.key, b.attempts, b.next_attempt, b.last_error, b.held, b.blocked_at
FROM posthorn.blocked_key b JOIN posthorn.route r ON r.id = b.route
ORDER BY b.blocked_at;
-- docs:end:blocked-keys

-- docs:start:failed-attempts
SELECT at, relay, attempt, outcome, error
FROM posthorn.attempt
WHERE event_id = '01890a5d-ac96-774b-bcce-b302099a8057'
ORDER BY at;
-- docs:end:failed-attempts

-- docs:start:redrive
SELECT posthorn.redrive('main', '01890a5d-ac96-774b-bcce-b302099a8057', 'the printer is there again');
-- docs:end:redrive

-- docs:start:discard
SELECT posthorn.discard('main', '01890a5d-ac96-774b-bcce-b302099a8058', 'the order was a test');
-- docs:end:discard

-- docs:start:operator-actions
SELECT at, who, action, target, reason FROM posthorn.operator_action ORDER BY id;
-- docs:end:operator-actions

-- docs:start:relays
SELECT r.name AS route, a.name AS relay, a.started_at, a.seen_at,
       count(l.lane) FILTER (WHERE l.expires_at > clock_timestamp()) AS lanes
FROM posthorn.relay a
JOIN posthorn.route r ON r.id = a.route
LEFT JOIN posthorn.lease l ON l.route = a.route AND l.owner = a.name
GROUP BY r.name, a.name, a.started_at, a.seen_at;
-- docs:end:relays

-- docs:start:backlog
SELECT r.name AS route, count(o.seq) AS unread, clock_timestamp() - min(o.created_at) AS age
FROM posthorn.route r
JOIN posthorn.lease l ON l.route = r.id
CROSS JOIN LATERAL (
  SELECT c.position FROM posthorn.checkpoint c
  WHERE c.route = l.route AND c.lane = l.lane ORDER BY c.n DESC LIMIT 1
) AS newest
LEFT JOIN posthorn.outbox o ON o.lane = l.lane AND o.seq > newest.position
GROUP BY r.name;
-- docs:end:backlog

-- docs:start:cursor
WITH stored AS (
  SELECT c.lane, c.position, f.snapshots[c.snapshot] AS snapshot
  FROM posthorn.checkpoint c JOIN posthorn.flush f ON f.id = c.flush
  WHERE c.route = 1 AND c.lane = 0
  ORDER BY c.n DESC
  LIMIT 1
)
SELECT 'fresh' AS found, o.seq, o.key
FROM stored JOIN posthorn.outbox o ON o.lane = stored.lane AND o.seq > stored.position
UNION ALL
SELECT 'late', o.seq, o.key
FROM stored JOIN posthorn.outbox o ON o.lane = stored.lane AND o.seq <= stored.position
WHERE NOT pg_visible_in_snapshot(o.tx, stored.snapshot)
ORDER BY seq;
-- docs:end:cursor

-- docs:start:pause-route
SELECT posthorn.pause_route('orders', 'the broker is moved');
-- docs:end:pause-route

-- docs:start:encryption-keys
SELECT headers->>'encryption-key' AS key, count(*) FROM posthorn.outbox GROUP BY 1;
-- docs:end:encryption-keys

-- docs:start:encryption-constraint
ALTER TABLE posthorn.outbox ADD CONSTRAINT outbox_encrypted CHECK (
  content_type = 'application/vnd.posthorn.encrypted' OR coalesce(headers ? 'wire-test', false)) NOT VALID;
-- docs:end:encryption-constraint
