-- What a service of the system needs. UPDATE and DELETE only so that it is told why nothing happens;
-- CREATE so that its CREATE TABLE IF NOT EXISTS finds the name taken instead of failing. The functions are those that the
-- view calls.
GRANT USAGE, CREATE ON SCHEMA {views} TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON {views}.outbox_events TO {role};
GRANT EXECUTE ON FUNCTION {views}.text_of, {views}.way_of, {views}.is_read TO {role};
