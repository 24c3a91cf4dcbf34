-- Keeps a dead letter together with its event's mark. See the function keep_letter.
-- Locks: the mark and the letter. Indexes: inbox_pkey, dead_letter_pkey. Rows: one.
SELECT {schema}.keep_letter(ROW(
  ?::uuid, NULL, NULL, ?, ?, ?, ?, ?::uuid, ?, ?, ?, ?, ?, ?, ?::jsonb, NULL, ?, ?, NULL, NULL, ?::jsonb, ?::bytea, ?::jsonb,
  ?::timestamptz, NULL)::{schema}.dead_letter)
