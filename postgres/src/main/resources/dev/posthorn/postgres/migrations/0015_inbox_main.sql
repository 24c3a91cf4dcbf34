-- Who names a consumer only means its handler "main", as PostgresInbox.once does. Also for those who insert by hand.

ALTER TABLE {schema}.inbox ALTER COLUMN handler SET DEFAULT 'main';
