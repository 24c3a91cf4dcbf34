-- Whether a row is the route's.
EXISTS (SELECT FROM {schema}.route AS r WHERE r.id = {route} AND {schema}.wants(r, o.domain, o.type, o.tenant))
