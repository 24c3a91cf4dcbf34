-- What is asked of dead letters, from one object; "w" has it.
w.facts ->> 'station' AS station, w.facts ->> 'route' AS route, w.facts ->> 'consumer' AS consumer,
w.facts ->> 'handler' AS handler, w.facts ->> 'domain' AS domain, w.facts ->> 'type' AS type, w.facts ->> 'key' AS key,
w.facts ->> 'tenant' AS tenant, w.facts ->> 'tenant_group' AS tenant_group, w.facts ->> 'cause' AS cause,
w.facts ->> 'fingerprint' AS fingerprint
