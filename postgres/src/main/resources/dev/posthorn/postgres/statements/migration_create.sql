-- Makes the table that remembers the migrations.
-- Locks: nothing that others use. Index: none. Rows: 0.
CREATE TABLE {schema}.migration (
  version    int         PRIMARY KEY,
  name       text        NOT NULL,
  checksum   text        NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)
