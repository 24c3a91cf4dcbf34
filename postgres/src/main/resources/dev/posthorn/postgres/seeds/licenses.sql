-- A view in place of an outbox_events with published_at, attempt_count and last_error. What its services write goes into the log;
-- what they read is the state of the log. Running this again replaces the view.
--
-- Every event is of the domain "licenses": one name by which a route, and this view, tell the system's events from whatever else
-- is in the log. The payload is json and not jsonb, so what is published is byte for byte what was written.

-- Others may emit payloads that are no JSON; one of them must not make the whole view unreadable.
CREATE OR REPLACE FUNCTION {views}.text_of(payload bytea) RETURNS json
LANGUAGE plpgsql IMMUTABLE PARALLEL RESTRICTED
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN convert_from(payload, 'UTF8')::json;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$$;

-- What became of an event on all routes that want it and are not retired, in one row. Runs as its owner, for it looks through the
-- checkpoints.
CREATE OR REPLACE FUNCTION {views}.way_of(
  event uuid, OUT published_at timestamptz, OUT attempt_count int, OUT last_error text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT
    CASE WHEN bool_and(s.state = 'SENT') THEN coalesce(max(s.published_at), max(s.created_at)) END,
    coalesce(max(CASE WHEN s.state = 'SENT' THEN s.attempts - 1 ELSE s.attempts END), 0),
    max(s.last_error)
  FROM {schema}.outbox_status s JOIN {schema}.route r ON r.name = s.route
  WHERE s.id = event AND r.retired_at IS NULL
$$;

-- "Published" is: on every route that wants it and is not retired. It tells nothing about consumers.
CREATE OR REPLACE VIEW {views}.outbox_events WITH (security_barrier) AS
SELECT
  o.id,
  o.type AS event_type,
  o.aggregate_type,
  o.aggregate_id,
  {views}.text_of(o.payload) AS payload_json,
  o.occurred_at AS created_at,
  way.published_at,
  way.attempt_count,
  way.last_error
FROM {schema}.outbox o
CROSS JOIN LATERAL {views}.way_of(o.id) AS way
WHERE o.domain = 'licenses' AND {views}.is_read();

-- Runs as its owner: who may insert into the view needs no other right, and can emit nothing but events of this domain. Whether
-- type and payload are allowed is not asked here but when it is published, as in the design.
CREATE OR REPLACE FUNCTION {views}.emit_event() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  missing text := CASE
    WHEN NEW.event_type IS NULL THEN 'event_type'
    WHEN NEW.aggregate_type IS NULL THEN 'aggregate_type'
    WHEN NEW.aggregate_id IS NULL THEN 'aggregate_id'
    WHEN NEW.payload_json IS NULL THEN 'payload_json'
  END;
BEGIN
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'null value in column "%" of outbox_events', missing
      USING ERRCODE = 'not_null_violation', TABLE = 'outbox_events', COLUMN = missing;
  END IF;
  IF NEW.published_at IS NOT NULL OR NEW.attempt_count <> 0 OR NEW.last_error IS NOT NULL THEN
    RAISE EXCEPTION 'a new event is not published yet and has 0 attempts and no error, not %, % and %',
      NEW.published_at, NEW.attempt_count, NEW.last_error USING
      ERRCODE = 'check_violation',
      HINT = 'What was published before needs no event any more: leave it in the old table.';
  END IF;
  NEW.id := coalesce(NEW.id, {schema}.uuid_v7());
  NEW.created_at := coalesce(NEW.created_at, clock_timestamp());
  NEW.attempt_count := 0;
  INSERT INTO {schema}.outbox (id, domain, type, key, aggregate_type, aggregate_id, payload, occurred_at)
  VALUES (
    NEW.id, 'licenses', NEW.event_type, NEW.aggregate_id, NEW.aggregate_type, NEW.aggregate_id,
    convert_to(NEW.payload_json::text, 'UTF8'), NEW.created_at);
  RETURN NEW;
END
$$;

-- Each twice: a view is only writable by a trigger for each row, and only one for the statement also speaks if there is no row.
CREATE OR REPLACE TRIGGER emit INSTEAD OF INSERT ON {views}.outbox_events
FOR EACH ROW EXECUTE FUNCTION {views}.emit_event();
CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON {views}.outbox_events
FOR EACH STATEMENT EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER refuse_row INSTEAD OF UPDATE ON {views}.outbox_events
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER skip BEFORE DELETE ON {views}.outbox_events
FOR EACH STATEMENT EXECUTE FUNCTION {views}.skip_delete();
CREATE OR REPLACE TRIGGER skip_row INSTEAD OF DELETE ON {views}.outbox_events
FOR EACH ROW EXECUTE FUNCTION {views}.skip_delete();

REVOKE ALL ON {views}.outbox_events FROM PUBLIC;
REVOKE ALL ON FUNCTION {views}.text_of, {views}.way_of, {views}.emit_event FROM PUBLIC;
