-- What a heading row has in the columns of an event: the snapshot, the incarnation, and nothing.
0::bigint, NULL::uuid, pg_current_snapshot()::text, {schema}.incarnation(), NULL::text, NULL::bigint,
NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
NULL::text[],
NULL::text,
NULL::bytea,
NULL::bytea,
NULL::bigint,
0,
NULL::bytea
