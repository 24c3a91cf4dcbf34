-- Gives every role again what its kinds may do, after migrations that may have added something.
-- Locks: the lock of the migrations, then the catalog rows of what is granted. Indexes: the catalog's. Rows: one for each role and kind.
SELECT {schema}.renew_grants()
