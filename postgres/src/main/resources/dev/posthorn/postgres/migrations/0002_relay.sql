-- Routes, leases, cursors and what went off the way.

-- What a lane, or a key of it, has read: rows visible in snapshot up to position; while one huge late transaction is
-- being paged, also its rows up to "late" that pin sees.
CREATE TYPE {schema}.log_cursor AS (
  snapshot pg_snapshot,
  position bigint,
  pin      pg_snapshot,
  late     bigint
);

CREATE FUNCTION {schema}.covers(c {schema}.log_cursor, tx xid8, seq bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT seq <= (c).position
     AND (pg_visible_in_snapshot(tx, (c).snapshot)
          OR coalesce(seq <= (c).late AND pg_visible_in_snapshot(tx, (c).pin), false))
$$;

-- Changes whenever seqs or xids may have been reused: another postmaster or another timeline.
CREATE FUNCTION {schema}.incarnation() RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
    ELSE date_part('epoch', pg_postmaster_start_time())::text || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) END
$$;

-- Of domains, types and tenants null means all. "start" tells where it began; its checkpoint 0 is that place.
CREATE TABLE {schema}.route (
  id         smallint    GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text        NOT NULL UNIQUE,
  domains    text[]      CHECK (domains <> '{}'),
  types      text[]      CHECK (types <> '{}'),
  tenants    text[]      CHECK (tenants <> '{}'),
  start      text        NOT NULL DEFAULT 'now',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  paused_at  timestamptz,
  retired_at timestamptz
);

-- Whether an event is the route's.
CREATE FUNCTION {schema}.wants(r {schema}.route, domain text, type text, tenant text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    (r.domains IS NULL OR domain = ANY (r.domains))
    AND (r.types IS NULL OR type = ANY (r.types))
    AND (r.tenants IS NULL OR tenant = ANY (r.tenants)), false)
$$;

CREATE TABLE {schema}.lease (
  route      smallint    NOT NULL REFERENCES {schema}.route (id),
  lane       smallint    NOT NULL,
  owner      text,
  epoch      bigint      NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (route, lane)
) WITH (fillfactor = 50);

CREATE TABLE {schema}.relay (
  route      smallint    NOT NULL REFERENCES {schema}.route (id),
  name       text        NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (route, name)
) WITH (fillfactor = 50);

-- One row per flush, so that a snapshot shared by many lanes is stored once.
CREATE TABLE {schema}.flush (
  id        bigint        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at        timestamptz   NOT NULL DEFAULT clock_timestamp(),
  relay     text          NOT NULL,
  snapshots pg_snapshot[] NOT NULL
);

-- Insert-only: the newest row of a lane is its cursor, the older ones tell when each event was published.
CREATE TABLE {schema}.checkpoint (
  route    smallint NOT NULL,
  lane     smallint NOT NULL,
  snapshot smallint NOT NULL,
  pin      smallint,
  n        bigint   NOT NULL,
  flush    bigint   NOT NULL,
  position bigint   NOT NULL,
  late     bigint,
  PRIMARY KEY (route, lane, n)
);

CREATE FUNCTION {schema}.cursor_of(checkpoint {schema}.checkpoint, snapshots pg_snapshot[]) RETURNS {schema}.log_cursor
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ROW(snapshots[checkpoint.snapshot], checkpoint.position, snapshots[checkpoint.pin], checkpoint.late)::{schema}.log_cursor
$$;

-- A key that waits. Its events after "from" are published from here, one at a time, up to "to"; those of that range
-- with seq <= passed are done.
CREATE TABLE {schema}.blocked_key (
  route        smallint    NOT NULL,
  lane         smallint    NOT NULL,
  key          text        COLLATE "C" NOT NULL,
  "from"       {schema}.log_cursor NOT NULL,
  "to"         {schema}.log_cursor NOT NULL,
  passed       bigint      NOT NULL,
  head         bigint,
  attempts     int         NOT NULL,
  next_attempt timestamptz,
  last_error   text,
  held         boolean     NOT NULL DEFAULT false,
  blocked_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (route, lane, key)
);

-- A single event off the way: FAILED for good, or due at a time of its own.
CREATE TABLE {schema}.detour (
  route      smallint    NOT NULL,
  lane       smallint    NOT NULL,
  seq        bigint      NOT NULL,
  kind       text        NOT NULL CHECK (kind IN ('FAILED', 'SCHEDULED', 'RETRY', 'REDRIVE')),
  event_id   uuid        NOT NULL,
  key        text        COLLATE "C",
  attempts   int         NOT NULL DEFAULT 0,
  due        timestamptz,
  last_error text,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (route, seq),
  CHECK ((due IS NULL) = (kind = 'FAILED'))
);
CREATE INDEX detour_due ON {schema}.detour (route, lane, due) WHERE due IS NOT NULL;

-- Insert-only: every attempt that did not go through.
CREATE TABLE {schema}.attempt (
  route    smallint    NOT NULL,
  seq      bigint      NOT NULL,
  attempt  int         NOT NULL,
  at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  relay    text        NOT NULL,
  event_id uuid        NOT NULL,
  outcome  text        NOT NULL,
  error    text
);
CREATE INDEX attempt_event ON {schema}.attempt (event_id);

-- Who changed what by hand, when and why.
CREATE TABLE {schema}.operator_action (
  id     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  who    text        NOT NULL DEFAULT session_user,
  action text        NOT NULL,
  route  smallint,
  target text        NOT NULL,
  reason text,
  rows   bigint      NOT NULL
);
