package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Notices a log that was restored from a dump: its transaction ids are another cluster's until it is rebased. */
final class RestoredLog {

    static final String EXPLANATION =
            "This log was restored from a dump. Its cursors hold transaction ids of the cluster it"
                    + " comes from, which mean nothing here, so nothing is published. Run posthorn rebase (or the SQL function"
                    + " rebase): it makes every route go on where it was, and loses nothing.";

    private RestoredLog() {}

    /** Before anything is written that would hold ids of this cluster: a new route, for one. */
    static void requireHome(Connection connection, Schema schema) throws SQLException {
        try (PreparedStatement ask = connection.prepareStatement(Sql.load("is_home", schema));
                ResultSet row = ask.executeQuery()) {
            row.next();
            if (!row.getBoolean(1)) {
                throw new PosthornException(EXPLANATION);
            }
        }
    }
}
