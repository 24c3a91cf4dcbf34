-- Writes events that leave the way: FAILED, or due at a time of their own.
-- Locks: the rows written. Index: detour_pkey. Rows: one for each event.
INSERT INTO {schema}.detour (route, lane, seq, kind, event_id, key, attempts, due, last_error)
SELECT ?, d.lane, d.seq, d.kind, d.event_id, d.key, d.attempts,
       CASE WHEN d.kind <> 'FAILED' THEN clock_timestamp() + d.pause_us * interval '1 microsecond' END, d.last_error
FROM unnest(?::smallint[], ?::bigint[], ?::text[], ?::uuid[], ?::text[], ?::int[], ?::bigint[], ?::text[])
  AS d (lane, seq, kind, event_id, key, attempts, pause_us, last_error)
ON CONFLICT (route, seq) DO UPDATE SET
  kind = excluded.kind, attempts = excluded.attempts, due = excluded.due, last_error = excluded.last_error,
  changed_at = clock_timestamp()
