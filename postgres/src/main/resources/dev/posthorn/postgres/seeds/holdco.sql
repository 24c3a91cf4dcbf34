-- Views in place of a grown system's event_outbox (status column) and event_inbox. What its services write goes into the log
-- and the inbox; what they read is the state of the log. Running this again replaces the views.
--
-- Every event is of the domain "holdco": one name by which a route, and these views, tell the system's events from whatever
-- else is in the log. The aggregate type stays in its own column, and makes the routing key with the type.

-- "published" is: on every route that wants it and is not retired. "failed" is tried again by itself, "dead" is not.
-- The way is a function and no join of tables: with a join Postgres refuses FOR UPDATE in words that help nobody.
CREATE OR REPLACE FUNCTION {views}.way_of(event uuid, OUT status text, OUT attempts int, OUT next_attempt timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT
    CASE
      WHEN bool_or(s.state = 'FAILED') THEN 'dead'
      WHEN bool_or(s.state = 'RETRYING') THEN 'failed'
      WHEN bool_and(s.state = 'SENT') THEN 'published'
    END,
    max(CASE WHEN s.state = 'SENT' THEN s.attempts - 1 ELSE s.attempts END),
    max(s.next_attempt)
  FROM {schema}.outbox_status s JOIN {schema}.route r ON r.name = s.route
  WHERE s.id = event AND r.retired_at IS NULL
$$;

CREATE OR REPLACE VIEW {views}.event_outbox WITH (security_barrier) AS
SELECT
  o.id,
  {views}.uuid_of(o.tenant) AS group_id,
  {views}.uuid_of(o.headers ->> 'subsidiary-id') AS subsidiary_id,
  o.aggregate_type,
  {views}.uuid_of(o.aggregate_id) AS aggregate_id,
  o.type AS event_type,
  {views}.json_of(o.payload) AS payload,
  coalesce(way.status, 'pending') AS status,
  coalesce(way.next_attempt, o.deliver_after, o.occurred_at) AS available_at,
  coalesce(way.attempts, 0) AS attempts,
  o.occurred_at AS created_at
FROM {schema}.outbox o
CROSS JOIN LATERAL {views}.way_of(o.id) AS way
WHERE o.domain = 'holdco' AND {views}.is_read();

-- Runs as its owner: who may insert into the view needs no other right, and can emit nothing but events of this domain.
-- A time that is a second ahead is taken for a clock that is, not for a wish: an event that waits stands outside the order
-- of its key.
CREATE OR REPLACE FUNCTION {views}.emit_event() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  missing text := CASE
    WHEN NEW.group_id IS NULL THEN 'group_id'
    WHEN NEW.aggregate_type IS NULL THEN 'aggregate_type'
    WHEN NEW.aggregate_id IS NULL THEN 'aggregate_id'
    WHEN NEW.event_type IS NULL THEN 'event_type'
    WHEN NEW.payload IS NULL THEN 'payload'
  END;
BEGIN
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'null value in column "%" of event_outbox', missing
      USING ERRCODE = 'not_null_violation', TABLE = 'event_outbox', COLUMN = missing;
  END IF;
  IF NEW.status <> 'pending' OR NEW.attempts <> 0 THEN
    RAISE EXCEPTION 'a new event is pending and has 0 attempts, not % and %', NEW.status, NEW.attempts USING
      ERRCODE = 'check_violation',
      HINT = 'What was published before needs no event any more: leave it in the old table.';
  END IF;
  NEW.id := coalesce(NEW.id, {schema}.uuid_v7());
  NEW.status := 'pending';
  NEW.attempts := 0;
  NEW.created_at := coalesce(NEW.created_at, clock_timestamp());
  NEW.available_at := coalesce(NEW.available_at, NEW.created_at);
  INSERT INTO {schema}.outbox (
    id, domain, type, key, aggregate_type, aggregate_id, tenant, headers, payload, occurred_at, deliver_after)
  VALUES (
    NEW.id, 'holdco', NEW.event_type, NEW.aggregate_id::text, NEW.aggregate_type, NEW.aggregate_id::text,
    NEW.group_id::text,
    CASE WHEN NEW.subsidiary_id IS NOT NULL THEN jsonb_build_object('subsidiary-id', NEW.subsidiary_id::text) END,
    convert_to(NEW.payload::text, 'UTF8'), NEW.created_at,
    CASE WHEN NEW.available_at > clock_timestamp() + interval '1 second' THEN NEW.available_at END);
  RETURN NEW;
END
$$;

-- Each twice: a view is only writable by a trigger for each row, and only one for the statement also speaks if there is no row.
CREATE OR REPLACE TRIGGER emit INSTEAD OF INSERT ON {views}.event_outbox
FOR EACH ROW EXECUTE FUNCTION {views}.emit_event();
CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON {views}.event_outbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER refuse_row INSTEAD OF UPDATE ON {views}.event_outbox
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER skip BEFORE DELETE ON {views}.event_outbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.skip_delete();
CREATE OR REPLACE TRIGGER skip_row INSTEAD OF DELETE ON {views}.event_outbox
FOR EACH ROW EXECUTE FUNCTION {views}.skip_delete();

-- Without a trigger for inserts: Postgres writes through so simple a view by itself, and then a duplicate is a violation of
-- the inbox's own key, ON CONFLICT DO NOTHING skips it, and a second consumer waits for the first one's commit. A consumer
-- that gives no handler has the one called "main".
CREATE OR REPLACE VIEW {views}.event_inbox WITH (security_barrier) AS
SELECT i.consumer AS consumer_name, i.event_id, i.handled_at AS processed_at
FROM {schema}.inbox i
WHERE i.handler = 'main';

CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON {views}.event_inbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER refuse_row INSTEAD OF UPDATE ON {views}.event_inbox
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER skip BEFORE DELETE ON {views}.event_inbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.skip_delete();
CREATE OR REPLACE TRIGGER skip_row INSTEAD OF DELETE ON {views}.event_inbox
FOR EACH ROW EXECUTE FUNCTION {views}.skip_delete();

REVOKE ALL ON {views}.event_outbox, {views}.event_inbox FROM PUBLIC;
REVOKE ALL ON FUNCTION {views}.way_of, {views}.emit_event FROM PUBLIC;
