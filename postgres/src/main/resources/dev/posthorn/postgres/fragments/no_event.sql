-- What a heading row has in the columns of an event: whether plans are plain, the snapshot, the
-- incarnation, and nothing.
({plain_plans})::int::bigint, NULL::uuid, {schema}.current_snapshot()::text, {schema}.incarnation(), NULL::text, NULL::bigint,
NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
NULL::jsonb,
NULL::text,
NULL::bytea,
NULL::bytea,
NULL::bigint,
0::bigint,
NULL::bytea
