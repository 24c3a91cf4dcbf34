-- What a service of the system needs. UPDATE and DELETE only so that it is told why nothing happens; CREATE so that its
-- CREATE TABLE IF NOT EXISTS finds the name taken instead of failing. The functions are those that the views call.
GRANT USAGE, CREATE ON SCHEMA {views} TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON {views}.event_outbox, {views}.event_inbox TO {role};
GRANT EXECUTE ON FUNCTION {views}.json_of, {views}.uuid_of, {views}.way_of, {views}.is_read TO {role};
