package dev.posthorn.console;

import dev.posthorn.postgres.Schema;
import javax.sql.DataSource;

/** Where the console looks and works: connections of its own, so that it takes none from a relay. */
record Desk(DataSource database, Schema schema) {}
