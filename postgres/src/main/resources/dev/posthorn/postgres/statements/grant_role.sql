-- Gives a role the rights of a kind.
-- Locks: the lock of the migrations, then the catalog rows of what is granted. Indexes: the catalog's. Rows: one, empty.
SELECT {schema}.grant_role(?, ?)
