package dev.posthorn.spring;

import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SchemaWatch;
import javax.sql.DataSource;

/**
 * Where the log is, with a schema that is as this version wants it.
 *
 * @param watch checks the schema at the start and later
 */
record LogPlace(DataSource database, Schema schema, SchemaWatch watch) {

    LogPlace(DataSource database, Schema schema) {
        this(database, schema, new SchemaWatch(database, schema));
    }
}
