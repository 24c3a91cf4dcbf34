-- Views in place of the outbox (state column, envelope in its payload) and the inbox of a system of transfers. What its services
-- write goes into the log and the inbox; what they read is the state of the log. Running this again replaces the views.
--
-- An event's name is events.<domain>.<type>, or <domain>.<type>. Its id is the envelope's, its key the transfer's, and the row's
-- own id, which means nothing to anybody else, is kept as a header. Names are lower case here, as Postgres folds them.

CREATE OR REPLACE FUNCTION {views}.row_of(headers jsonb, id uuid) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce({views}.uuid_of(headers ->> 'outbox-id'), id);

-- "SENT" is: on every route that wants it and is not retired. What is tried again is PENDING. Runs as its owner, for it looks through
-- the checkpoints. A function and no join of tables: with a join Postgres refuses FOR UPDATE in words that help nobody.
CREATE OR REPLACE FUNCTION {views}.way_of(
  event uuid, OUT state text, OUT attempts int, OUT last_error text, OUT next_attempt timestamptz, OUT sent_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT
    CASE WHEN bool_or(s.state = 'FAILED') THEN 'FAILED' WHEN bool_and(s.state = 'SENT') THEN 'SENT' END,
    max(s.attempts),
    max(s.last_error),
    max(s.next_attempt),
    max(s.published_at)
  FROM {schema}.outbox_status s JOIN {schema}.route r ON r.name = s.route
  WHERE s.id = event AND r.retired_at IS NULL
$$;

CREATE OR REPLACE VIEW {views}.outbox WITH (security_barrier) AS
SELECT
  {views}.row_of(o.headers, o.id) AS id,
  coalesce({views}.json_of(o.payload) #>> '{envelope,type}', 'events.' || o.domain || '.' || o.type) AS eventtype,
  {views}.json_of(o.payload) AS payload,
  coalesce(way.state, 'PENDING') AS state,
  coalesce(way.attempts, 0) AS attempts,
  way.last_error AS lasterror,
  coalesce(way.next_attempt, o.deliver_after, o.created_at) AS next_attempt,
  o.created_at AS createdat,
  CASE way.state WHEN 'SENT' THEN coalesce(way.sent_at, o.created_at) ELSE o.created_at END AS updatedat
FROM {schema}.outbox o
CROSS JOIN LATERAL {views}.way_of(o.id) AS way
WHERE o.domain IN ('transfers', 'directory') AND {views}.is_read();

-- Runs as its owner: who may insert into the view needs no other right, and can emit nothing but events of these domains.
CREATE OR REPLACE FUNCTION {views}.emit_event() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  envelope jsonb := NEW.payload -> 'envelope';
  name text[] := regexp_match(NEW.eventtype, '^(?:events\.)?(transfers|directory)\.(.+)$');
  trace text := envelope ->> 'traceparent';
  wrong text := CASE
    WHEN NEW.eventtype IS NULL THEN 'eventType is null'
    WHEN NEW.payload IS NULL THEN 'payload is null'
    WHEN name IS NULL THEN format('eventType is %s, not events.transfers.… or directory.…', NEW.eventtype)
    WHEN {views}.uuid_of(envelope ->> 'eventId') IS NULL THEN 'payload.envelope.eventId is no uuid'
    WHEN envelope ->> 'type' <> NEW.eventtype THEN
      format('eventType is %s, but payload.envelope.type is %s', NEW.eventtype, envelope ->> 'type')
    WHEN NEW.state <> 'PENDING' OR NEW.attempts <> 0 THEN
      format('a new event is PENDING and has 0 attempts, not %s and %s', NEW.state, NEW.attempts)
  END;
BEGIN
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'outbox: %', wrong USING
      ERRCODE = 'check_violation', TABLE = 'outbox',
      HINT = 'Write the row as the design says: payload is {envelope, key, payload}, and the envelope has eventId and type.';
  END IF;
  NEW.id := coalesce(NEW.id, {schema}.uuid_v7());
  NEW.state := 'PENDING';
  NEW.attempts := 0;
  NEW.createdat := coalesce(NEW.createdat, clock_timestamp());
  NEW.updatedat := NEW.createdat;
  INSERT INTO {schema}.outbox (id, domain, type, key, aggregate_type, aggregate_id, tenant, traceparent, headers, payload,
    occurred_at, deliver_after)
  VALUES (
    (envelope ->> 'eventId')::uuid, name[1], name[2], NEW.payload #>> '{key,transferId}',
    CASE WHEN NEW.payload #>> '{key,transferId}' IS NOT NULL THEN 'transfer' END, NEW.payload #>> '{key,transferId}',
    envelope ->> 'tenantId',
    CASE WHEN trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' THEN trace END,
    jsonb_build_object('outbox-id', NEW.id::text),
    convert_to(NEW.payload::text, 'UTF8'), coalesce({views}.time_of(envelope ->> 'occurredAt'), NEW.createdat),
    CASE WHEN NEW.next_attempt > clock_timestamp() + interval '1 second' THEN NEW.next_attempt END);
  NEW.next_attempt := coalesce(NEW.next_attempt, NEW.createdat);
  RETURN NEW;
END
$$;

-- What is no time does not keep an event from going out: then it happened when its row was written.
CREATE OR REPLACE FUNCTION {views}.time_of(said text) RETURNS timestamptz
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN said::timestamptz;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
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

-- In the design each consumer has a database, and so an inbox, of its own: here the one who uses this schema. Without a trigger
-- for inserts: Postgres writes through so simple a view by itself, and then a duplicate is a violation of the inbox's own key,
-- ON CONFLICT DO NOTHING skips it, and a second delivery waits for the first one's commit.
CREATE OR REPLACE VIEW {views}.inbox WITH (security_barrier) AS
SELECT i.event_id AS eventid, i.handled_at AS processedat, i.consumer
FROM {schema}.inbox i
WHERE i.handler = 'main' AND i.consumer = {consumer_text};

ALTER VIEW {views}.inbox ALTER COLUMN consumer SET DEFAULT {consumer_text};

CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON {views}.inbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER refuse_row INSTEAD OF UPDATE ON {views}.inbox
FOR EACH ROW EXECUTE FUNCTION {views}.refuse_update();
CREATE OR REPLACE TRIGGER skip BEFORE DELETE ON {views}.inbox
FOR EACH STATEMENT EXECUTE FUNCTION {views}.skip_delete();
CREATE OR REPLACE TRIGGER skip_row INSTEAD OF DELETE ON {views}.inbox
FOR EACH ROW EXECUTE FUNCTION {views}.skip_delete();

REVOKE ALL ON {views}.outbox, {views}.inbox FROM PUBLIC;
REVOKE ALL ON FUNCTION {views}.row_of, {views}.way_of, {views}.time_of, {views}.emit_event FROM PUBLIC;
