-- Functions whose bodies are looked up when they run find nothing but what Postgres has and what they name, whatever the search
-- path of their caller. The two on the way of every insert, emit and place_event, run as their caller and stay as they are.

ALTER FUNCTION {schema}.cursor_at(smallint, smallint, timestamptz) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION {schema}.prunable(smallint, bigint, interval, integer) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION {schema}.mark_home() SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION {schema}.regather(smallint) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION {schema}.first_covering(smallint, smallint, xid8, bigint) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION {schema}.first_covered_at(smallint, smallint, xid8, bigint) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION {schema}.count_replay({schema}.replay) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION {schema}.forget_stamp() SET search_path = pg_catalog, pg_temp;
