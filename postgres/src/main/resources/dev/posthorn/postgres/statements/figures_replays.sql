-- Replays that are not over, for each target: how many run, how many failed, and how far they are.
-- Locks: none. Index: replay_open. Rows: one for each target that has some.
SELECT r.target_kind AS kind, r.target, count(*) FILTER (WHERE r.state = 'RUNNING') AS running,
       count(*) FILTER (WHERE r.state = 'FAILED') AS failed, sum(r.done)::bigint AS done,
       sum(greatest(coalesce(r."of", 0) - r.done, 0))::bigint AS remaining
FROM {schema}.open_replay AS r
GROUP BY r.target_kind, r.target
