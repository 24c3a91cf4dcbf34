package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Under which name a change is recorded, that of a caller or else that of the database user, and as a part of which entry.
 *
 * <p>The name is sent along with the statement and counts for its transaction only, so that it is right also behind a pooler
 * which hands one session to many.
 */
record Signature(@Nullable String name, @Nullable Long bulk) {

    /** The database user's. */
    static final Signature OF_LOGIN = new Signature(null, null);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");

    Signature(String name) {
        this(name, null);
    }

    Signature {
        if (name != null && !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name
                    + "\" is no name to record: it has letters, digits and . _ @ - and at most 63 of them.");
        }
    }

    /** The same, and what is recorded is a part of this entry. */
    Signature partOf(long entry) {
        return new Signature(name, entry);
    }

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(isPlain() ? sql : "SELECT " + settings() + "; " + sql);
    }

    private boolean isPlain() {
        return name == null && bulk == null;
    }

    private String settings() {
        List<String> settings = new ArrayList<>();
        if (name != null) {
            settings.add("set_config('posthorn.who', '" + name + "', true)");
        }
        if (bulk != null) {
            settings.add("set_config('posthorn.bulk', '" + bulk + "', true)");
        }
        return String.join(", ", settings);
    }

    /** Runs what {@link #prepare} made; what the change itself answers. */
    ResultSet run(PreparedStatement prepared) throws SQLException {
        prepared.execute();
        if (!isPlain()) {
            prepared.getMoreResults();
        }
        return prepared.getResultSet();
    }
}
