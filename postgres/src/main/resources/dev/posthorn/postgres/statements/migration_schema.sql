-- Makes the schema, unless an administrator has already: a role may own a schema and not be allowed to create one.
-- Locks: nothing that others use. Index: none. Rows: 0.
CREATE SCHEMA IF NOT EXISTS {schema}
