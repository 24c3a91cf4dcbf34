-- A relay's process answers for metrics and health, so its role may see what they count: no payload, no key, no reason. Views,
-- because a role is given whole tables: what a role lacks could not be told otherwise.

-- Dead letters of consumers that nobody has decided about.
CREATE VIEW {schema}.open_letter AS
SELECT d.consumer FROM {schema}.dead_letter d WHERE d.state = 'DEAD';

-- Replays that are not over.
CREATE VIEW {schema}.open_replay AS
SELECT r.target_kind, r.target, r.state, r.done, r."of" FROM {schema}.replay r WHERE r.state IN ('RUNNING', 'FAILED');

REVOKE ALL ON {schema}.open_letter, {schema}.open_replay FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT SELECT ON {schema}.consumer, {schema}.consumer_member, {schema}.migration, {schema}.open_letter, {schema}.open_replay
  TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.open_letter, {schema}.open_replay TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.open_letter, {schema}.open_replay TO {role};
$operator$ WHERE kind = 'operator';
