-- Members of a consumer know each other's handlers, and hand over events that only another member can handle. Events that no
-- handler wants are counted.

-- Each member that reports, and what it knows of the others.
CREATE TABLE {schema}.consumer_registration (
  consumer text        COLLATE "C" NOT NULL,
  member   text        COLLATE "C" NOT NULL,
  seen_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  every    interval    NOT NULL,
  own      text        NOT NULL,
  known    text        NOT NULL,
  PRIMARY KEY (consumer, member)
) WITH (fillfactor = 50);

-- The handlers of each member; '*' stands for all domains or all types.
CREATE TABLE {schema}.registered_handler (
  consumer text COLLATE "C" NOT NULL,
  member   text COLLATE "C" NOT NULL,
  name     text COLLATE "C" NOT NULL,
  domain   text COLLATE "C" NOT NULL,
  type     text COLLATE "C" NOT NULL,
  PRIMARY KEY (consumer, member, name, domain, type),
  FOREIGN KEY (consumer, member) REFERENCES {schema}.consumer_registration ON DELETE CASCADE
);

-- The handlers of members that are alive: a registration expires when its member has not reported for 30 seconds.
CREATE VIEW {schema}.live_handler AS
SELECT h.consumer, h.member, h.name, h.domain, h.type
FROM {schema}.registered_handler h
JOIN {schema}.consumer_registration r ON r.consumer = h.consumer AND r.member = h.member
WHERE r.seen_at > clock_timestamp() - interval '30 seconds';

-- How many events of each type no handler of a consumer wanted.
CREATE TABLE {schema}.unhandled_event (
  consumer text        COLLATE "C" NOT NULL,
  type     text        COLLATE "C" NOT NULL,
  events   bigint      NOT NULL,
  first_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, type)
);

-- A key of which events wait to be taken. Whoever stores or finishes an event of the key locks this row first.
CREATE TABLE {schema}.handover_key (
  consumer    text        COLLATE "C" NOT NULL,
  key         text        COLLATE "C" NOT NULL,
  since       timestamptz NOT NULL DEFAULT clock_timestamp(),
  taken_by    text,
  taken_until timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (consumer, key)
) WITH (fillfactor = 50);
CREATE INDEX handover_key_since ON {schema}.handover_key (consumer, since);

-- Events that one member of a consumer leaves to another; "handled" has the handlers that are done with it.
CREATE TABLE {schema}.handover (
  seq       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  consumer  text        COLLATE "C" NOT NULL,
  key       text        COLLATE "C" NOT NULL,
  event_id  uuid        NOT NULL,
  domain    text        COLLATE "C" NOT NULL,
  type      text        COLLATE "C" NOT NULL,
  headers   jsonb       NOT NULL,
  body      bytea       NOT NULL,
  handled   text[]      COLLATE "C" NOT NULL DEFAULT '{}',
  stored_by text        NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (consumer, event_id)
);
CREATE INDEX handover_place ON {schema}.handover (consumer, key, seq);

-- What waits, without what it says.
CREATE VIEW {schema}.waiting_handover AS
SELECT h.consumer, h.type, h.event_id, h.stored_by, h.stored_at FROM {schema}.handover h;

-- A member registers its handlers and learns of the others. "known" is the digest that it got last. The others agree if each that
-- has reported lately knows the digest of now. Registrations of members that are long gone are removed.
CREATE FUNCTION {schema}.register_member(
  consumer text, member text, every_ms bigint, known text, names text[], domains text[], types text[],
  unhandled_types text[], unhandled_counts bigint[])
RETURNS TABLE (
  digest text, mixed boolean, agreed boolean, waiting boolean, other_names text[], other_domains text[], other_types text[])
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  mine text := md5(array_to_string(names, ',') || ';' || array_to_string(domains, ',') || ';' || array_to_string(types, ','));
  before text;
BEGIN
  SELECT r.own INTO before FROM {schema}.consumer_registration r
  WHERE r.consumer = register_member.consumer AND r.member = register_member.member;
  INSERT INTO {schema}.consumer_registration AS r (consumer, member, every, own, known)
  VALUES (register_member.consumer, register_member.member, every_ms * interval '1 millisecond', mine, register_member.known)
  ON CONFLICT (consumer, member) DO UPDATE
  SET seen_at = clock_timestamp(), every = excluded.every, own = excluded.own, known = excluded.known;
  IF before IS DISTINCT FROM mine THEN
    DELETE FROM {schema}.registered_handler h
    WHERE h.consumer = register_member.consumer AND h.member = register_member.member;
    INSERT INTO {schema}.registered_handler (consumer, member, name, domain, type)
    SELECT register_member.consumer, register_member.member, n.name, n.domain, n.type
    FROM unnest(names, domains, types) AS n (name, domain, type)
    ON CONFLICT DO NOTHING;
    DELETE FROM {schema}.consumer_registration r
    WHERE r.consumer = register_member.consumer AND r.seen_at < clock_timestamp() - interval '1 hour';
  END IF;
  INSERT INTO {schema}.unhandled_event AS u (consumer, type, events)
  SELECT register_member.consumer, n.type, n.events FROM unnest(unhandled_types, unhandled_counts) AS n (type, events)
  ORDER BY n.type
  ON CONFLICT (consumer, type) DO UPDATE SET events = u.events + excluded.events, last_at = clock_timestamp();
  RETURN QUERY
  WITH live AS (
    SELECT r.member, r.own, r.known, r.seen_at > clock_timestamp() - greatest(interval '5 seconds', 3 * r.every) AS prompt
    FROM {schema}.consumer_registration r
    WHERE r.consumer = register_member.consumer AND r.seen_at > clock_timestamp() - interval '30 seconds'
  ), handlers AS (
    SELECT DISTINCT h.name, h.domain, h.type
    FROM {schema}.registered_handler h JOIN live l ON l.member = h.member
    WHERE h.consumer = register_member.consumer
  ), newest (digest) AS (
    SELECT md5(coalesce(string_agg(h.name || '/' || h.domain || '/' || h.type, ',' ORDER BY h.name, h.domain, h.type), ''))
      || ':' || (SELECT count(DISTINCT l.own) FROM live l)
    FROM handlers h
  ), others AS (
    SELECT DISTINCT h.name, h.domain, h.type
    FROM {schema}.registered_handler h JOIN live l ON l.member = h.member
    WHERE h.consumer = register_member.consumer AND h.member <> register_member.member
  )
  SELECT n.digest,
    (SELECT count(DISTINCT l.own) > 1 FROM live l),
    NOT EXISTS (SELECT FROM live l WHERE l.prompt AND l.member <> register_member.member AND l.known <> n.digest),
    EXISTS (SELECT FROM {schema}.handover_key k WHERE k.consumer = register_member.consumer),
    coalesce((SELECT array_agg(o.name ORDER BY o.name, o.domain, o.type) FROM others o), '{}'),
    coalesce((SELECT array_agg(o.domain ORDER BY o.name, o.domain, o.type) FROM others o), '{}'),
    coalesce((SELECT array_agg(o.type ORDER BY o.name, o.domain, o.type) FROM others o), '{}')
  FROM newest n;
END
$$;

CREATE FUNCTION {schema}.unregister_member(consumer text, member text) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM {schema}.consumer_registration r
  WHERE r.consumer = unregister_member.consumer AND r.member = unregister_member.member
$$;

-- Stores an event behind those of its key; with "behind_others" only if there are any. Returns whether it is stored, now or
-- before. The key's row is locked, so that events are stored in the order in which they came.
CREATE FUNCTION {schema}.hand_over(event {schema}.handover, behind_others boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF behind_others THEN
    PERFORM FROM {schema}.handover_key k WHERE k.consumer = event.consumer AND k.key = event.key FOR UPDATE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
  ELSE
    INSERT INTO {schema}.handover_key AS k (consumer, key) VALUES (event.consumer, event.key)
    ON CONFLICT (consumer, key) DO UPDATE SET since = k.since;
  END IF;
  INSERT INTO {schema}.handover (consumer, key, event_id, domain, type, headers, body, stored_by)
  VALUES (event.consumer, event.key, event.event_id, event.domain, event.type, event.headers, event.body, event.stored_by)
  ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;

-- The handlers of live members that want an event and are not done with it.
CREATE FUNCTION {schema}.wanting(consumer text, domain text, type text, handled text[])
RETURNS TABLE (member text, name text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT h.member, h.name FROM {schema}.live_handler h
  WHERE h.consumer = wanting.consumer AND h.domain IN (wanting.domain, '*') AND h.type IN (wanting.type, '*')
    AND h.name <> ALL (wanting.handled)
$$;

-- Takes events for a member for 30 seconds, the oldest of their keys, and keeps the keys that it holds for as long. A member
-- takes what one of its handlers wants, and what nobody has wanted for 30 seconds. "complete" says that it has all handlers that
-- want the event. No more than 8 MB at once, but at least one event of each key.
CREATE FUNCTION {schema}.take_handovers(consumer text, member text, held text[], most int)
RETURNS TABLE (seq bigint, key text, headers text[], body bytea, complete boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  most_keys constant int := 1000;
  most_of_key constant int := 20;
  chosen text[];
BEGIN
  UPDATE {schema}.handover_key k SET taken_until = clock_timestamp() + interval '30 seconds'
  WHERE k.consumer = take_handovers.consumer AND k.key = ANY (held) AND k.taken_by = take_handovers.member;
  chosen := ARRAY(
    SELECT c.key
    FROM (
      SELECT k.key FROM {schema}.handover_key k
      WHERE k.consumer = take_handovers.consumer AND k.taken_until < clock_timestamp()
      ORDER BY k.since LIMIT most_keys
    ) AS c
    CROSS JOIN LATERAL (
      SELECT h.domain, h.type, h.handled, h.stored_at FROM {schema}.handover h
      WHERE h.consumer = take_handovers.consumer AND h.key = c.key ORDER BY h.seq LIMIT 1
    ) AS head
    WHERE EXISTS (
        SELECT FROM {schema}.wanting(take_handovers.consumer, head.domain, head.type, head.handled) AS w WHERE w.member = take_handovers.member)
      OR (head.stored_at < clock_timestamp() - interval '30 seconds'
        AND NOT EXISTS (SELECT FROM {schema}.wanting(take_handovers.consumer, head.domain, head.type, head.handled)))
    LIMIT greatest(1, most / 2));
  chosen := ARRAY(
    SELECT k.key FROM {schema}.handover_key k
    WHERE k.consumer = take_handovers.consumer AND k.key = ANY (chosen) AND k.taken_until < clock_timestamp()
    ORDER BY k.key FOR UPDATE SKIP LOCKED);
  UPDATE {schema}.handover_key k
  SET taken_by = take_handovers.member, taken_until = clock_timestamp() + interval '30 seconds'
  WHERE k.consumer = take_handovers.consumer AND k.key = ANY (chosen);
  RETURN QUERY
  SELECT t.seq, t.key, ARRAY(SELECT unnest(ARRAY[p.key, p.value]) FROM jsonb_each_text(t.headers) AS p), t.body,
    NOT EXISTS (
      SELECT FROM {schema}.wanting(t.consumer, t.domain, t.type, t.handled) AS w
      WHERE NOT EXISTS (
        SELECT FROM {schema}.live_handler h
        WHERE h.consumer = t.consumer AND h.member = take_handovers.member AND h.name = w.name
          AND h.domain IN (t.domain, '*') AND h.type IN (t.type, '*')))
  FROM (
    SELECT h.*, row_number() OVER w AS n, sum(octet_length(h.body)) OVER w AS bytes
    FROM unnest(chosen) AS c (key)
    CROSS JOIN LATERAL (
      SELECT o.*, row_number() OVER (ORDER BY o.seq) AS place FROM {schema}.handover o
      WHERE o.consumer = take_handovers.consumer AND o.key = c.key ORDER BY o.seq LIMIT most_of_key
    ) AS h
    WINDOW w AS (ORDER BY h.place, h.seq)
  ) AS t
  WHERE t.place = 1 OR (t.n <= most AND t.bytes <= 8388608)
  ORDER BY t.seq;
END
$$;

-- A member is done with events: its handlers are noted, and an event is removed when no handler of a live member wants it any
-- more. Keys that it has released can be taken by others; one without events is removed.
CREATE FUNCTION {schema}.finish_handovers(consumer text, member text, places bigint[], released text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM {schema}.handover_key k
  WHERE k.consumer = finish_handovers.consumer AND k.key IN (
    SELECT h.key FROM {schema}.handover h WHERE h.seq = ANY (places) UNION ALL SELECT unnest(released))
  ORDER BY k.key FOR UPDATE;
  UPDATE {schema}.handover h
  SET handled = h.handled || ARRAY(
    SELECT DISTINCT r.name FROM {schema}.registered_handler r
    WHERE r.consumer = h.consumer AND r.member = finish_handovers.member AND r.domain IN (h.domain, '*')
      AND r.type IN (h.type, '*'))
  WHERE h.consumer = finish_handovers.consumer AND h.seq = ANY (places)
    AND EXISTS (SELECT FROM {schema}.wanting(h.consumer, h.domain, h.type, h.handled));
  DELETE FROM {schema}.handover h
  WHERE h.consumer = finish_handovers.consumer AND h.seq = ANY (places)
    AND NOT EXISTS (SELECT FROM {schema}.wanting(h.consumer, h.domain, h.type, h.handled));
  DELETE FROM {schema}.handover_key k
  WHERE k.consumer = finish_handovers.consumer AND k.key = ANY (released) AND NOT EXISTS (
    SELECT FROM {schema}.handover h WHERE h.consumer = k.consumer AND h.key = k.key);
  UPDATE {schema}.handover_key k SET taken_until = '-infinity'
  WHERE k.consumer = finish_handovers.consumer AND k.key = ANY (released) AND k.taken_by = finish_handovers.member;
END
$$;

-- A member gives back all that it has taken.
CREATE FUNCTION {schema}.release_handovers(consumer text, member text) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  UPDATE {schema}.handover_key k SET taken_until = '-infinity'
  WHERE k.consumer = release_handovers.consumer AND k.taken_by = release_handovers.member AND k.taken_until > clock_timestamp()
$$;

REVOKE ALL ON {schema}.consumer_registration, {schema}.registered_handler, {schema}.live_handler, {schema}.unhandled_event,
  {schema}.handover_key, {schema}.handover, {schema}.waiting_handover FROM PUBLIC;
REVOKE ALL ON FUNCTION {schema}.register_member, {schema}.unregister_member, {schema}.hand_over, {schema}.wanting,
  {schema}.take_handovers, {schema}.finish_handovers, {schema}.release_handovers FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $consumer$
GRANT EXECUTE ON FUNCTION {schema}.register_member, {schema}.unregister_member, {schema}.hand_over, {schema}.take_handovers,
  {schema}.finish_handovers, {schema}.release_handovers TO {role};
$consumer$ WHERE kind = 'consumer';

UPDATE {schema}.role_kind SET grants = grants || $relay$
GRANT SELECT ON {schema}.consumer_registration, {schema}.registered_handler, {schema}.live_handler, {schema}.unhandled_event,
  {schema}.waiting_handover TO {role};
$relay$ WHERE kind = 'relay';

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT SELECT ON {schema}.consumer_registration, {schema}.registered_handler, {schema}.live_handler, {schema}.unhandled_event,
  {schema}.waiting_handover TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT SELECT ON {schema}.consumer_registration, {schema}.registered_handler, {schema}.live_handler, {schema}.unhandled_event,
  {schema}.waiting_handover TO {role};
$operator$ WHERE kind = 'operator';
