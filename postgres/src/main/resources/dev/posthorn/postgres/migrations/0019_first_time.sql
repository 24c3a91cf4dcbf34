-- The mark of one event alone, for consumers that handle one by one: a sorted set of ids, and a set as its answer, took longer
-- than the insert itself.

-- Marks an event as handled and answers whether it was not before. Waits for whoever has it in work, no longer than "patience"
-- milliseconds.
CREATE FUNCTION {schema}.first_time(consumer text, handler text, event uuid, patience int) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before text := current_setting('lock_timeout');
  fresh boolean;
BEGIN
  PERFORM set_config('lock_timeout', patience::text, true);
  INSERT INTO {schema}.inbox (event_id, consumer, handler)
  VALUES (first_time.event, first_time.consumer, first_time.handler)
  ON CONFLICT DO NOTHING;
  fresh := FOUND;
  PERFORM set_config('lock_timeout', before, true);
  RETURN fresh;
END
$$;

REVOKE ALL ON FUNCTION {schema}.first_time FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION {schema}.first_time TO {role};
$consumer$ WHERE kind = 'consumer';
