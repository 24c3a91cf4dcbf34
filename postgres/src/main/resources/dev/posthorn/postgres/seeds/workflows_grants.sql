-- What a service of the system needs. INSERT, UPDATE and DELETE only so that it is told why nothing happens; CREATE so that its
-- CREATE TABLE IF NOT EXISTS finds the name taken instead of failing.
GRANT USAGE, CREATE ON SCHEMA {views} TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON {views}.workflow_runs, {views}.workflow_step_logs TO {role};
