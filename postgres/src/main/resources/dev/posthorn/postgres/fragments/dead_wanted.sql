-- Whether a dead letter is wanted, wherever it died. Each fact is asked for by a query of its own, which is answered once and not
-- for each row.
((SELECT domain FROM asked) IS NULL OR d.domain = (SELECT domain FROM asked))
AND ((SELECT type FROM asked) IS NULL OR d.type = (SELECT type FROM asked))
AND ((SELECT key FROM asked) IS NULL OR d.key = (SELECT key FROM asked))
AND ((SELECT tenant FROM asked) IS NULL OR d.tenant = (SELECT tenant FROM asked))
AND ((SELECT tenant_group FROM asked) IS NULL OR split_part(d.tenant, '/', 1) = (SELECT tenant_group FROM asked))
AND ((SELECT cause FROM asked) IS NULL OR d.cause = (SELECT cause FROM asked))
AND ((SELECT fingerprint FROM asked) IS NULL OR d.fingerprint = (SELECT fingerprint FROM asked))
