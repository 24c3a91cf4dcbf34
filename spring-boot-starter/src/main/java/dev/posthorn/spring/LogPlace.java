package dev.posthorn.spring;

import dev.posthorn.postgres.Schema;
import javax.sql.DataSource;

/** Where the log is, with a schema that is as this version wants it. */
record LogPlace(DataSource database, Schema schema) {}
