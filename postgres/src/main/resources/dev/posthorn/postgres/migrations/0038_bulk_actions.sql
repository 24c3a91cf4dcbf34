-- One decision about many dead letters is one entry of the audit, with their number. What was recorded of each of them stays, as a
-- part of that entry, because states and stories are made of it.

ALTER TABLE {schema}.operator_action ADD COLUMN bulk bigint;

-- A program names the entry for one transaction: set_config('posthorn.bulk', '42', true).
ALTER TABLE {schema}.operator_action
  ALTER COLUMN bulk SET DEFAULT nullif(current_setting('posthorn.bulk', true), '')::bigint;

CREATE INDEX operator_action_entry ON {schema}.operator_action (id) WHERE bulk IS NULL;

-- Begins an entry for many.
CREATE FUNCTION {schema}.begin_bulk(action text, target text, reason text) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO {schema}.operator_action (action, target, reason, rows, bulk)
  VALUES (begin_bulk.action, begin_bulk.target, begin_bulk.reason, 0, NULL)
  RETURNING id
$$;

-- Counts so many more into an entry that the same login began. Without an entry it does nothing.
CREATE FUNCTION {schema}.add_to_bulk(bulk bigint, rows bigint) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  UPDATE {schema}.operator_action a
  SET rows = a.rows + add_to_bulk.rows
  WHERE a.id = add_to_bulk.bulk AND a.bulk IS NULL AND a.login = session_user
  RETURNING a.rows
$$;

REVOKE ALL ON FUNCTION {schema}.begin_bulk, {schema}.add_to_bulk FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT EXECUTE ON FUNCTION {schema}.begin_bulk, {schema}.add_to_bulk TO {role};
$operator$ WHERE kind = 'operator';
