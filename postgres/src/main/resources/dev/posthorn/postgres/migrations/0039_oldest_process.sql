-- Oldest process: any
-- A process knows the migrations up to the newest one of its version. It works with a schema that has newer ones, unless one of them
-- needs a newer process: oldest_process is the newest migration that a process must know to work with this one.

ALTER TABLE {schema}.migration ADD COLUMN oldest_process int NOT NULL DEFAULT 1;
