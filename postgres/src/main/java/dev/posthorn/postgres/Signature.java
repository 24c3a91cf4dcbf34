package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Under which name a change is recorded: that of a caller, or else that of the database user.
 *
 * <p>The name is sent along with the statement and counts for its transaction only, so that it is right also behind a pooler
 * which hands one session to many.
 */
record Signature(@Nullable String name) {

    /** The database user's. */
    static final Signature OF_LOGIN = new Signature(null);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");

    Signature {
        if (name != null && !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name
                    + "\" is no name to record: it has letters, digits and . _ @ - and at most 63 of them.");
        }
    }

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(
                name == null ? sql : "SELECT set_config('posthorn.who', '" + name + "', true); " + sql);
    }

    /** Runs what {@link #prepare} made; what the change itself answers. */
    ResultSet run(PreparedStatement prepared) throws SQLException {
        prepared.execute();
        if (name != null) {
            prepared.getMoreResults();
        }
        return prepared.getResultSet();
    }
}
