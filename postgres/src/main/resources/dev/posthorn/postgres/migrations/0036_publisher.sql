-- Names the relay that published an event.

-- The relay that wrote the lane's first checkpoint on a route that covers this row; null if none does yet. Runs as its owner, for it
-- searches the checkpoints, and tells nothing but a name.
CREATE FUNCTION {schema}.publisher(route smallint, lane smallint, tx xid8, seq bigint) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT nullif(f.relay, '')
  FROM {schema}.checkpoint c JOIN {schema}.flush f ON f.id = c.flush
  WHERE c.route = publisher.route AND c.lane = publisher.lane
    AND c.n = (SELECT {schema}.first_covering(publisher.route, publisher.lane, publisher.tx, publisher.seq))
$$;

REVOKE ALL ON FUNCTION {schema}.publisher FROM PUBLIC;

UPDATE {schema}.role_kind SET grants = grants || $viewer$
GRANT EXECUTE ON FUNCTION {schema}.publisher TO {role};
$viewer$ WHERE kind = 'viewer';

UPDATE {schema}.role_kind SET grants = grants || $operator$
GRANT EXECUTE ON FUNCTION {schema}.publisher TO {role};
$operator$ WHERE kind = 'operator';
