-- What consumers have handled, what they gave up, and how they are.

-- One row for each event and handler, written in the handler's own transaction. "dead" ones were not handled: their letter is
-- kept in dead_letter, and they do not come again by themselves.
CREATE TABLE {schema}.inbox (
  event_id   uuid        NOT NULL,
  consumer   text        COLLATE "C" NOT NULL,
  handler    text        COLLATE "C" NOT NULL,
  handled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  dead       boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (event_id, consumer, handler)
);
-- Rows come in the order of time, so this one costs next to nothing and is enough to prune by.
CREATE INDEX inbox_handled_at ON {schema}.inbox USING brin (handled_at) WITH (pages_per_range = 16);

-- Marks events as handled and answers which were not before. Waits for whoever has one in work, no longer than "patience"
-- milliseconds. Always in the order of the ids: two batches with the same events must not wait for each other.
CREATE FUNCTION {schema}.first_times(consumer text, handler text, events uuid[], patience int) RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', patience::text, true);
  RETURN QUERY
    INSERT INTO {schema}.inbox AS i (event_id, consumer, handler)
    SELECT e.id, first_times.consumer, first_times.handler FROM unnest(events) AS e(id) ORDER BY e.id
    ON CONFLICT DO NOTHING
    RETURNING i.event_id;
  PERFORM set_config('lock_timeout', before, true);
END
$$;

-- What consumers gave up. Rows of state HANDLED and DISCARDED tell what became of a letter, until they are pruned.
CREATE TABLE {schema}.dead_letter (
  id          uuid        PRIMARY KEY,
  seq         bigint      GENERATED ALWAYS AS IDENTITY,
  state       text        NOT NULL DEFAULT 'DEAD' CHECK (state IN ('DEAD', 'REDRIVE', 'HANDLED', 'DISCARDED')),
  consumer    text        COLLATE "C" NOT NULL,
  handler     text        COLLATE "C" NOT NULL,
  kind        text        NOT NULL,
  component   text        NOT NULL,
  event_id    uuid,
  domain      text,
  type        text,
  key         text        COLLATE "C",
  tenant      text,
  cause       text        NOT NULL,
  reason      text        NOT NULL,
  details     jsonb       NOT NULL,
  fingerprint text        NOT NULL,
  remedy      text        NOT NULL,
  attempts    int         NOT NULL,
  redrives    int         NOT NULL DEFAULT 0,
  reprocess   boolean     NOT NULL DEFAULT false,
  headers     jsonb       NOT NULL,
  body        bytea       NOT NULL,
  metadata    jsonb       NOT NULL,
  occurred_at timestamptz NOT NULL,
  changed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX dead_letter_state ON {schema}.dead_letter (state, seq);
CREATE INDEX dead_letter_event ON {schema}.dead_letter (event_id);
CREATE INDEX dead_letter_at ON {schema}.dead_letter (occurred_at, id) WHERE state = 'DEAD';
CREATE INDEX dead_letter_changed_at ON {schema}.dead_letter (changed_at);
CREATE INDEX dead_letter_redrive ON {schema}.dead_letter (consumer, handler, key, seq) WHERE state = 'REDRIVE';

-- What reasons of one kind have in common: ids and numbers left out.
CREATE FUNCTION {schema}.fingerprint(reason text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(regexp_replace(regexp_replace(lower(reason),
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', '#', 'g'), '[0-9]+', '#', 'g'), 200)
$$;

-- Keeps a letter and marks its event, so that it does not come to its handler again by itself. False if somebody else has
-- handled the event meanwhile: then there is nothing to keep. One that is here already stays as it is, unless it was done with.
CREATE FUNCTION {schema}.keep_letter(letter {schema}.dead_letter) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF letter.event_id IS NOT NULL AND letter.handler <> '' THEN
    INSERT INTO {schema}.inbox (event_id, consumer, handler, dead)
    VALUES (letter.event_id, letter.consumer, letter.handler, true)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND AND EXISTS (
      SELECT FROM {schema}.inbox i
      WHERE i.event_id = letter.event_id AND i.consumer = letter.consumer AND i.handler = letter.handler AND NOT i.dead)
    THEN
      RETURN false;
    END IF;
  END IF;
  INSERT INTO {schema}.dead_letter AS d (
    id, consumer, handler, kind, component, event_id, domain, type, key, tenant, cause, reason, details, fingerprint, remedy,
    attempts, headers, body, metadata, occurred_at)
  VALUES (
    letter.id, letter.consumer, letter.handler, letter.kind, letter.component, letter.event_id, letter.domain, letter.type,
    letter.key, letter.tenant, letter.cause, letter.reason, letter.details, {schema}.fingerprint(letter.reason), letter.remedy,
    letter.attempts, letter.headers, letter.body, letter.metadata, letter.occurred_at)
  ON CONFLICT (id) DO UPDATE
  SET state = 'DEAD', cause = excluded.cause, reason = excluded.reason, details = excluded.details,
      fingerprint = excluded.fingerprint, remedy = excluded.remedy, attempts = excluded.attempts,
      component = excluded.component, metadata = excluded.metadata, occurred_at = excluded.occurred_at,
      changed_at = clock_timestamp()
  WHERE d.state IN ('HANDLED', 'DISCARDED');
  RETURN true;
END
$$;

-- Letters that were sent back to a consumer: the oldest of each key and handler, for the next must wait for it.
CREATE FUNCTION {schema}.redriven(consumer text, most int)
RETURNS TABLE (id uuid, handler text, headers text[], body bytea)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT d.id, d.handler,
    ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(d.headers) AS h), d.body
  FROM (
    SELECT DISTINCT ON (r.handler, coalesce(r.key, r.id::text)) r.*
    FROM {schema}.dead_letter r
    WHERE r.consumer = redriven.consumer AND r.state = 'REDRIVE'
    ORDER BY r.handler, coalesce(r.key, r.id::text), r.seq
  ) AS d
  ORDER BY d.seq
  LIMIT redriven.most
$$;

-- Takes a letter in its handler's transaction. False if somebody else has, or an older one of its key is to come first.
CREATE FUNCTION {schema}.take_letter(letter uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  taken record;
BEGIN
  UPDATE {schema}.dead_letter d
  SET state = 'HANDLED', redrives = d.redrives + 1, changed_at = clock_timestamp()
  WHERE d.id = take_letter.letter AND d.state = 'REDRIVE'
    AND (d.key IS NULL OR NOT EXISTS (
      SELECT FROM {schema}.dead_letter o
      WHERE o.consumer = d.consumer AND o.handler = d.handler AND o.key = d.key AND o.state = 'REDRIVE' AND o.seq < d.seq))
  RETURNING d.event_id, d.consumer, d.handler, d.reprocess INTO taken;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM {schema}.inbox i
  WHERE i.event_id = taken.event_id AND i.consumer = taken.consumer AND i.handler = taken.handler
    AND (i.dead OR taken.reprocess);
  RETURN true;
END
$$;

-- A redriven letter that failed again.
CREATE FUNCTION {schema}.dead_again(letter uuid, reason text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  UPDATE {schema}.dead_letter d
  SET state = 'DEAD', redrives = d.redrives + 1, reprocess = false, reason = dead_again.reason,
      fingerprint = {schema}.fingerprint(dead_again.reason), changed_at = clock_timestamp()
  WHERE d.id = dead_again.letter AND d.state = 'REDRIVE'
  RETURNING true
$$;

-- Sends letters back to their consumers, in the order in which they died. "reprocess" has them handled even if the inbox knows
-- them as handled, which needs a reason. Answers which; those that are not DEAD any more are left alone. Locks them in one
-- order, so that of two operators one waits for the other and then finds nothing to do.
CREATE FUNCTION {schema}.redrive_letters(letters uuid[], reprocess boolean, reason text) RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  IF redrive_letters.reprocess AND coalesce(redrive_letters.reason, '') = '' THEN
    RAISE EXCEPTION 'to reprocess needs a reason' USING
      ERRCODE = 'invalid_parameter_value', HINT = 'Effects happen a second time. Say why that is wanted.';
  END IF;
  changed := ARRAY(
    SELECT d.id FROM {schema}.dead_letter d
    WHERE d.id = ANY (redrive_letters.letters) AND d.state = 'DEAD' ORDER BY d.seq FOR UPDATE);
  UPDATE {schema}.dead_letter d
  SET state = 'REDRIVE', reprocess = redrive_letters.reprocess, changed_at = clock_timestamp()
  WHERE d.id = ANY (changed);
  IF cardinality(changed) > 0 THEN
    INSERT INTO {schema}.operator_action (action, target, reason, rows)
    VALUES (CASE WHEN redrive_letters.reprocess THEN 'reprocess' ELSE 'redrive' END,
      CASE WHEN cardinality(changed) = 1 THEN changed[1]::text ELSE cardinality(changed) || ' dead letters of consumers' END,
      redrive_letters.reason, cardinality(changed));
  END IF;
  RETURN QUERY SELECT unnest(changed);
END
$$;

-- Gives letters up for good. Answers which.
CREATE FUNCTION {schema}.discard_letters(letters uuid[], reason text) RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  IF coalesce(discard_letters.reason, '') = '' THEN
    RAISE EXCEPTION 'to discard needs a reason' USING
      ERRCODE = 'invalid_parameter_value', HINT = 'What is discarded is never handled. Say why that is right.';
  END IF;
  changed := ARRAY(
    SELECT d.id FROM {schema}.dead_letter d
    WHERE d.id = ANY (discard_letters.letters) AND d.state = 'DEAD' ORDER BY d.seq FOR UPDATE);
  UPDATE {schema}.dead_letter d
  SET state = 'DISCARDED', changed_at = clock_timestamp()
  WHERE d.id = ANY (changed);
  IF cardinality(changed) > 0 THEN
    INSERT INTO {schema}.operator_action (action, target, reason, rows)
    VALUES ('discard',
      CASE WHEN cardinality(changed) = 1 THEN changed[1]::text ELSE cardinality(changed) || ' dead letters of consumers' END,
      discard_letters.reason, cardinality(changed));
  END IF;
  RETURN QUERY SELECT unnest(changed);
END
$$;

-- Events that FAILED on a route are found by time, and decided about in the order of the log.
CREATE INDEX detour_failed_at ON {schema}.detour (changed_at, event_id) WHERE kind = 'FAILED';
CREATE INDEX detour_failed_seq ON {schema}.detour (seq, route) WHERE kind = 'FAILED';

-- What died on its way out. "letter" names it among all that is dead, "place" orders what died at one station, "at" is when it
-- died, and "facts" is what it can be found by: facts @> '{"type": "order.placed"}'.
CREATE VIEW {schema}.dead_on_route AS
SELECT 'route' AS station, r.name AS name, '' AS handler, d.event_id, d.event_id AS letter, o.domain, o.type, d.key, o.tenant,
  'publish-failed' AS cause, coalesce(d.last_error, '') AS reason, {schema}.fingerprint(coalesce(d.last_error, '')) AS fingerprint,
  'See why the destination did not take it. Mend that, then redrive; or discard it if nobody needs it.' AS remedy,
  d.attempts, d.changed_at AS at, d.seq AS place,
  coalesce((SELECT b.held AND b.head = d.seq FROM {schema}.blocked_key b
    WHERE b.route = d.route AND b.lane = d.lane AND b.key = d.key), false) AS held,
  jsonb_build_object('route', r.name, 'domain', o.domain, 'type', o.type, 'key', d.key, 'tenant', o.tenant,
    'cause', 'publish-failed', 'fingerprint', {schema}.fingerprint(coalesce(d.last_error, ''))) AS facts
FROM {schema}.detour d
JOIN {schema}.route r ON r.id = d.route
LEFT JOIN {schema}.outbox o ON o.id = d.event_id
WHERE d.kind = 'FAILED';

-- What died in a consumer.
CREATE VIEW {schema}.dead_in_consumer AS
SELECT 'consumer' AS station, l.consumer AS name, l.handler, l.event_id, l.id AS letter, l.domain, l.type, l.key, l.tenant,
  l.cause, l.reason, l.fingerprint, l.remedy, l.attempts, l.occurred_at AS at, l.seq AS place, false AS held,
  jsonb_build_object('consumer', l.consumer, 'handler', l.handler, 'domain', l.domain, 'type', l.type, 'key', l.key,
    'tenant', l.tenant, 'cause', l.cause, 'fingerprint', l.fingerprint) AS facts
FROM {schema}.dead_letter l
WHERE l.state = 'DEAD';

-- Everything that is dead, found in one place.
CREATE VIEW {schema}.dead AS
SELECT * FROM {schema}.dead_on_route
UNION ALL
SELECT * FROM {schema}.dead_in_consumer;

CREATE TABLE {schema}.consumer (
  name       text        PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  paused_at  timestamptz
);

-- How each member is, by its own word.
CREATE TABLE {schema}.consumer_member (
  consumer       text             NOT NULL,
  member         text             NOT NULL,
  started_at     timestamptz      NOT NULL DEFAULT clock_timestamp(),
  seen_at        timestamptz      NOT NULL DEFAULT clock_timestamp(),
  handled        bigint           NOT NULL,
  skipped        bigint           NOT NULL,
  retried        bigint           NOT NULL,
  dead           bigint           NOT NULL,
  lag_p50_ms     double precision NOT NULL,
  lag_p99_ms     double precision NOT NULL,
  handler_p99_ms double precision NOT NULL,
  trouble        text,
  PRIMARY KEY (consumer, member)
) WITH (fillfactor = 50);

-- A member says how it is, and learns whether its consumer is paused.
CREATE FUNCTION {schema}.report_consumer(said {schema}.consumer_member) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  known {schema}.consumer;
BEGIN
  SELECT c.* INTO known FROM {schema}.consumer c WHERE c.name = said.consumer;
  IF known.name IS NULL THEN
    INSERT INTO {schema}.consumer (name) VALUES (said.consumer) ON CONFLICT DO NOTHING;
  END IF;
  INSERT INTO {schema}.consumer_member AS m (
    consumer, member, handled, skipped, retried, dead, lag_p50_ms, lag_p99_ms, handler_p99_ms, trouble)
  VALUES (said.consumer, said.member, said.handled, said.skipped, said.retried, said.dead, said.lag_p50_ms, said.lag_p99_ms,
    said.handler_p99_ms, said.trouble)
  ON CONFLICT (consumer, member) DO UPDATE
  SET seen_at = clock_timestamp(), handled = excluded.handled, skipped = excluded.skipped, retried = excluded.retried,
      dead = excluded.dead, lag_p50_ms = excluded.lag_p50_ms, lag_p99_ms = excluded.lag_p99_ms,
      handler_p99_ms = excluded.handler_p99_ms, trouble = excluded.trouble;
  RETURN known.paused_at IS NOT NULL;
END
$$;

CREATE FUNCTION {schema}.leave_consumer(consumer text, member text) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM {schema}.consumer_member m WHERE m.consumer = leave_consumer.consumer AND m.member = leave_consumer.member
$$;

-- Its members take nothing more, within seconds, until it is resumed; false if that was so already.
CREATE FUNCTION {schema}.pause_consumer(consumer text, paused boolean, reason text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found {schema}.consumer;
BEGIN
  SELECT c.* INTO found FROM {schema}.consumer c WHERE c.name = pause_consumer.consumer FOR UPDATE;
  IF found.name IS NULL THEN
    RAISE EXCEPTION 'there is no consumer "%"', pause_consumer.consumer
      USING ERRCODE = 'no_data_found', HINT = 'A consumer is known once a member of it has run. See the table consumer.';
  END IF;
  IF (found.paused_at IS NOT NULL) = pause_consumer.paused THEN
    RETURN false;
  END IF;
  UPDATE {schema}.consumer c
  SET paused_at = CASE WHEN pause_consumer.paused THEN clock_timestamp() END
  WHERE c.name = found.name;
  INSERT INTO {schema}.operator_action (action, target, reason, rows)
  VALUES (CASE WHEN pause_consumer.paused THEN 'pause consumer' ELSE 'resume consumer' END, found.name, pause_consumer.reason, 1);
  RETURN true;
END
$$;

-- Removes marks older than this, some at a time. What comes again later is handled again. Whoever comes while another one
-- prunes removes nothing; that holds for letters too.
CREATE FUNCTION {schema}.prune_inbox(older interval, chunk int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  removed bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN 0;
  END IF;
  DELETE FROM {schema}.inbox i
  WHERE i.ctid = ANY (ARRAY(
    SELECT o.ctid FROM {schema}.inbox o
    WHERE o.handled_at < clock_timestamp() - prune_inbox.older AND NOT o.dead
    LIMIT prune_inbox.chunk));
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

-- Removes letters that changed longer ago than this, with their marks, some at a time: those in one of these states, of one
-- domain, or with null of all domains but some. One that is redriven stays.
CREATE FUNCTION {schema}.prune_letters(states text[], of_domain text, but text[], older interval, chunk int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  removed bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('posthorn.prune', (SELECT l.tableoid::bigint FROM {schema}.log l))) THEN
    RETURN 0;
  END IF;
  WITH gone AS (
    DELETE FROM {schema}.dead_letter d
    WHERE d.state = ANY (prune_letters.states) AND d.state <> 'REDRIVE' AND d.id = ANY (ARRAY(
      SELECT o.id FROM {schema}.dead_letter o
      WHERE o.state = ANY (prune_letters.states) AND o.state <> 'REDRIVE'
        AND o.changed_at < clock_timestamp() - prune_letters.older
        AND CASE WHEN prune_letters.of_domain IS NULL THEN coalesce(o.domain <> ALL (prune_letters.but), true)
          ELSE o.domain = prune_letters.of_domain END
      ORDER BY o.changed_at
      LIMIT prune_letters.chunk))
    RETURNING d.event_id, d.consumer, d.handler
  ), marks AS (
    DELETE FROM {schema}.inbox i USING gone g
    WHERE i.event_id = g.event_id AND i.consumer = g.consumer AND i.handler = g.handler AND i.dead
  )
  SELECT count(*) INTO removed FROM gone;
  RETURN removed;
END
$$;

REVOKE ALL ON {schema}.inbox, {schema}.dead_letter, {schema}.dead, {schema}.dead_on_route, {schema}.dead_in_consumer,
  {schema}.consumer, {schema}.consumer_member FROM PUBLIC;
REVOKE ALL ON FUNCTION
  {schema}.first_times, {schema}.fingerprint, {schema}.keep_letter, {schema}.redriven, {schema}.take_letter,
  {schema}.dead_again, {schema}.redrive_letters, {schema}.discard_letters, {schema}.report_consumer,
  {schema}.leave_consumer, {schema}.pause_consumer, {schema}.prune_inbox, {schema}.prune_letters
FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION
  {schema}.first_times, {schema}.keep_letter, {schema}.redriven, {schema}.take_letter, {schema}.dead_again,
  {schema}.report_consumer, {schema}.leave_consumer TO {role};
$consumer$ WHERE kind = 'consumer';

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT EXECUTE ON FUNCTION {schema}.prune_inbox, {schema}.prune_letters TO {role};
$relay$ WHERE kind = 'relay';

-- A letter's headers, body and details may tell what the payload does.
UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.inbox, {schema}.dead, {schema}.dead_on_route, {schema}.dead_in_consumer, {schema}.consumer,
  {schema}.consumer_member TO {role};
GRANT SELECT (
  id, seq, state, consumer, handler, kind, component, event_id, domain, type, key, tenant, cause, reason, fingerprint, remedy,
  attempts, redrives, reprocess, occurred_at, changed_at) ON {schema}.dead_letter TO {role};
GRANT EXECUTE ON FUNCTION {schema}.fingerprint TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.inbox, {schema}.dead, {schema}.dead_on_route, {schema}.dead_in_consumer, {schema}.dead_letter,
  {schema}.consumer, {schema}.consumer_member TO {role};
GRANT EXECUTE ON FUNCTION {schema}.fingerprint, {schema}.redrive_letters, {schema}.discard_letters, {schema}.pause_consumer,
  {schema}.prune_inbox, {schema}.prune_letters TO {role};
$operator$ WHERE kind = 'operator';
