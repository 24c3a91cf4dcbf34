package dev.posthorn.console;

import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.TransactionSource;
import java.sql.Connection;
import javax.sql.DataSource;

/** Where the console looks and works: connections of its own, so that it takes none from a relay. */
record Desk(DataSource database, Schema schema) {

    /** The same schema, and everything is a part of this transaction. */
    Desk within(Connection transaction) {
        return new Desk(new TransactionSource(transaction), schema);
    }
}
