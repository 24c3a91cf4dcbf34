-- Who asked, where a program works for people that the database does not know.

-- Such a program names its caller for one transaction: set_config('posthorn.who', 'ann', true). Whoever logs in can do that, so
-- the login is kept beside it: a name is only worth as much as the login that gives it.
ALTER TABLE {schema}.operator_action
  ALTER COLUMN who SET DEFAULT coalesce(nullif(current_setting('posthorn.who', true), ''), session_user),
  ADD COLUMN login text NOT NULL DEFAULT session_user;
ALTER TABLE {schema}.replay
  ALTER COLUMN who SET DEFAULT coalesce(nullif(current_setting('posthorn.who', true), ''), session_user);

-- Records what an operator did that no other function records.
CREATE FUNCTION {schema}.record_action(action text, route text, target text, reason text, rows bigint) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO {schema}.operator_action (action, route, target, reason, rows)
  VALUES (
    record_action.action, (SELECT r.id FROM {schema}.route r WHERE r.name = record_action.route), record_action.target,
    record_action.reason, record_action.rows)
  RETURNING id
$$;

-- What is dead can also be found by where it died.
CREATE OR REPLACE VIEW {schema}.dead_on_route AS
SELECT 'route' AS station, r.name AS name, '' AS handler, d.event_id, d.event_id AS letter, o.domain, o.type, d.key, o.tenant,
  'publish-failed' AS cause, coalesce(d.last_error, '') AS reason, {schema}.fingerprint(coalesce(d.last_error, '')) AS fingerprint,
  'See why the destination did not take it. Mend that, then redrive; or discard it if nobody needs it.' AS remedy,
  d.attempts, d.changed_at AS at, d.seq AS place,
  coalesce((SELECT b.held AND b.head = d.seq FROM {schema}.blocked_key b
    WHERE b.route = d.route AND b.lane = d.lane AND b.key = d.key), false) AS held,
  jsonb_build_object('station', 'route', 'route', r.name, 'domain', o.domain, 'type', o.type, 'key', d.key, 'tenant', o.tenant,
    'cause', 'publish-failed', 'fingerprint', {schema}.fingerprint(coalesce(d.last_error, ''))) AS facts
FROM {schema}.detour d
JOIN {schema}.route r ON r.id = d.route
LEFT JOIN {schema}.outbox o ON o.id = d.event_id
WHERE d.kind = 'FAILED';

CREATE OR REPLACE VIEW {schema}.dead_in_consumer AS
SELECT 'consumer' AS station, l.consumer AS name, l.handler, l.event_id, l.id AS letter, l.domain, l.type, l.key, l.tenant,
  l.cause, l.reason, l.fingerprint, l.remedy, l.attempts, l.occurred_at AS at, l.seq AS place, false AS held,
  jsonb_build_object('station', 'consumer', 'consumer', l.consumer, 'handler', l.handler, 'domain', l.domain, 'type', l.type,
    'key', l.key, 'tenant', l.tenant, 'cause', l.cause, 'fingerprint', l.fingerprint) AS facts
FROM {schema}.dead_letter l
WHERE l.state = 'DEAD';

REVOKE ALL ON FUNCTION {schema}.record_action FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT EXECUTE ON FUNCTION {schema}.record_action TO {role};
$operator$ WHERE kind = 'operator';
