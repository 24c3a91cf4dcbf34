-- What a service of the system needs. UPDATE and DELETE only so that it is told why nothing happens; CREATE so that its
-- CREATE TABLE IF NOT EXISTS finds the name taken instead of failing. The functions are those that the views call, and
-- Postgres looks their names up again when it inlines them.
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT USAGE, CREATE ON SCHEMA {views} TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON {views}.outbox, {views}.inbox TO {role};
GRANT EXECUTE ON FUNCTION {views}.json_of, {views}.uuid_of, {views}.row_of, {views}.sent_at TO {role};
GRANT EXECUTE ON FUNCTION {schema}.covers, {schema}.cursor_of, {schema}.wants TO {role};
