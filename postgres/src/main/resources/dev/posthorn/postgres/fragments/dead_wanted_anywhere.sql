-- Whether a dead letter of a route or a consumer is wanted.
((SELECT station FROM asked) IS NULL OR d.station = (SELECT station FROM asked))
AND ((SELECT route FROM asked) IS NULL OR (d.station = 'route' AND d.name = (SELECT route FROM asked)))
AND ((SELECT consumer FROM asked) IS NULL OR (d.station = 'consumer' AND d.name = (SELECT consumer FROM asked)))
AND ((SELECT handler FROM asked) IS NULL OR (d.station = 'consumer' AND d.handler = (SELECT handler FROM asked)))
AND ((SELECT id FROM asked) IS NULL OR (SELECT id FROM asked) IN (d.letter, d.event_id))
AND d.at >= (SELECT since FROM asked) AND d.at < (SELECT until FROM asked)
AND {include dead_wanted}
