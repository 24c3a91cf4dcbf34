-- Views in place of the outbox (delivered_at) and the inbox (event_id, handler) of OpenPaw. What its services write goes into the
-- log and the inbox; what they read is the state of the log. Running this again replaces the views.
--
-- Every event is of the domain "openpaw": one name by which a route, and these views, tell the system's events from whatever
-- else is in the log. The rows of the design have no key, so it is the payload's asset_id: the events of an asset are in order.

-- "Delivered" is: published on every route that wants it and is not retired. It tells nothing about consumers. Runs as its owner, for
-- it looks through the checkpoints. A function and no join of tables: with a join Postgres refuses FOR UPDATE in words that help nobody.
CREATE OR REPLACE FUNCTION {views}.way_of(event uuid, OUT is_sent boolean, OUT sent_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT bool_and(s.state = 'SENT'), max(s.published_at)
  FROM {schema}.outbox_status s JOIN {schema}.route r ON r.name = s.route
  WHERE s.id = event AND r.retired_at IS NULL
$$;

CREATE OR REPLACE VIEW {views}.outbox WITH (security_barrier) AS
SELECT
  o.id AS event_id,
  o.type AS event_type,
  {views}.json_of(o.payload) AS payload,
  o.correlation_id,
  o.tenant AS tenant_id,
  o.occurred_at AS created_at,
  CASE WHEN way.is_sent THEN coalesce(way.sent_at, o.created_at) END AS delivered_at
FROM {schema}.outbox o
CROSS JOIN LATERAL {views}.way_of(o.id) AS way
WHERE o.domain = 'openpaw' AND {views}.is_read();

-- Runs as its owner: who may insert into the view needs no other right, and can emit nothing but events of this domain.
CREATE OR REPLACE FUNCTION {views}.emit_event() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  missing text := CASE
    WHEN NEW.event_type IS NULL THEN 'event_type'
    WHEN NEW.payload IS NULL THEN 'payload'
  END;
  asset text := NEW.payload ->> 'asset_id';
BEGIN
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'null value in column "%" of outbox', missing
      USING ERRCODE = 'not_null_violation', TABLE = 'outbox', COLUMN = missing;
  END IF;
  IF NEW.delivered_at IS NOT NULL THEN
    RAISE EXCEPTION 'a new event is not delivered yet, but delivered_at is %', NEW.delivered_at USING
      ERRCODE = 'check_violation',
      HINT = 'What was delivered before needs no event any more: leave it in the old table.';
  END IF;
  NEW.event_id := coalesce(NEW.event_id, {schema}.uuid_v7());
  NEW.created_at := coalesce(NEW.created_at, clock_timestamp());
  INSERT INTO {schema}.outbox (
    id, domain, type, key, aggregate_type, aggregate_id, tenant, correlation_id, payload, occurred_at)
  VALUES (
    NEW.event_id, 'openpaw', NEW.event_type, asset, CASE WHEN asset IS NOT NULL THEN 'asset' END, asset, NEW.tenant_id,
    NEW.correlation_id, convert_to(NEW.payload::text, 'UTF8'), NEW.created_at);
  RETURN NEW;
END
$$;

-- Each twice: a view is only writable by a trigger for each row, and only one for the statement also speaks if there is no row.
CREATE OR REPLACE TRIGGER emit INSTEAD OF INSERT ON {views}.outbox
FOR EACH ROW EXECUTE FUNCTION {views}.emit_event();
CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON {views}.outbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER refuse_row INSTEAD OF UPDATE ON {views}.outbox
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER skip BEFORE DELETE ON {views}.outbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.skip_delete();
CREATE OR REPLACE TRIGGER skip_row INSTEAD OF DELETE ON {views}.outbox
FOR EACH ROW EXECUTE FUNCTION {views}.skip_delete();

-- The design's handler is a consumer with the one handler "main". Without a trigger for inserts: Postgres writes through so
-- simple a view by itself, and then a duplicate is a violation of the inbox's own key, ON CONFLICT DO NOTHING skips it, and a
-- second delivery waits for the first one's commit.
CREATE OR REPLACE VIEW {views}.inbox WITH (security_barrier) AS
SELECT i.event_id, i.consumer AS handler, i.handled_at AS processed_at
FROM {schema}.inbox i
WHERE i.handler = 'main';

CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON {views}.inbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER refuse_row INSTEAD OF UPDATE ON {views}.inbox
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER skip BEFORE DELETE ON {views}.inbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.skip_delete();
CREATE OR REPLACE TRIGGER skip_row INSTEAD OF DELETE ON {views}.inbox
FOR EACH ROW EXECUTE FUNCTION {views}.skip_delete();

REVOKE ALL ON {views}.outbox, {views}.inbox FROM PUBLIC;
REVOKE ALL ON FUNCTION {views}.way_of, {views}.emit_event FROM PUBLIC;
