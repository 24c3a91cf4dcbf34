-- A row, unless there is one with its key: table, columns, values, columns of the key; the names are the caller's. See DomainKey.
INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO NOTHING
