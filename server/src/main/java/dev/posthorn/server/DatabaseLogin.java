package dev.posthorn.server;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DatabaseUrl;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects with the session parameters that the server, or a proxy in front of it, accepts.
 *
 * <p>Proxies refuse start-up parameters with various codes: PgBouncer with 08P01, RDS Proxy with 0A000, others by closing the
 * connection. So the code says nothing. A login that fails is tried again without one of the parameters that Posthorn can do
 * without, and then without all of them. A login that succeeds shows which parameter was refused. The relay sends its planner
 * settings with each statement where {@code options} are refused.
 *
 * <p>{@code options} of the database URL are never left out: they may choose a role.
 */
final class DatabaseLogin {

    /** The driver's name for command-line options of the server. */
    static final String OPTIONS = "options";

    /**
     * What can be left out of a URL: a search path, because every statement names its schema, and the promise of a server version,
     * with which the driver sends {@code application_name} as a start-up parameter and not as a statement.
     */
    private static final List<String> DISPENSABLE = List.of("currentSchema", "assumeMinServerVersion");

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseLogin.class);

    /** A wrong password, and a database that does not exist. */
    private static final Set<String> OTHER_CAUSES = Set.of("28P01", "3D000");

    private static final String NOT_CONNECTED = "08001";

    private final DatabaseUrl url;
    private final Properties properties;

    private DatabaseLogin(DatabaseUrl url, Properties properties) {
        this.url = url;
        this.properties = properties;
    }

    /** With these settings of the driver, where the URL does not set them itself. */
    static DatabaseLogin of(DatabaseUrl url, Map<String, String> settings) {
        return new DatabaseLogin(url, url.properties(settings));
    }

    String jdbcUrl() {
        return url.jdbcUrl();
    }

    Properties properties() {
        return properties;
    }

    /** Logs in; the login with which that succeeded. Fails at once, and with the address. */
    DatabaseLogin reached() {
        try {
            connect();
            return this;
        } catch (SQLException failed) {
            if (!mayBeRefused(failed)) {
                throw failure(failed);
            }
            return withLess(failed);
        }
    }

    private DatabaseLogin withLess(SQLException refused) {
        List<String> present = Stream.concat(
                        properties.containsKey(OPTIONS) ? Stream.of(OPTIONS) : Stream.of(),
                        DISPENSABLE.stream().filter(url::sets))
                .toList();
        for (String one : present) {
            DatabaseLogin less = without(one);
            if (less.connects()) {
                LOG.warn("{} refuses the connection parameter {} ({}); connecting without it", url, one, said(refused));
                return less;
            }
        }
        DatabaseLogin least = present.stream().reduce(this, DatabaseLogin::without, (first, second) -> second);
        if (present.size() > 1 && least.connects()) {
            LOG.warn("{} refuses connection parameters ({}); connecting without {}", url, said(refused), present);
            return least;
        }
        throw failure(refused);
    }

    private DatabaseLogin without(String parameter) {
        if (url.sets(parameter)) {
            return new DatabaseLogin(url.without(parameter), properties);
        }
        Properties fewer = new Properties();
        fewer.putAll(properties);
        fewer.remove(parameter);
        return new DatabaseLogin(url, fewer);
    }

    private boolean connects() {
        try {
            connect();
            return true;
        } catch (SQLException failed) {
            return false;
        }
    }

    private void connect() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url.jdbcUrl(), properties)) {
            connection.isValid(1);
        }
    }

    /** A server that starts, stops or is full refuses every login, and so does one that is not there. */
    private static boolean mayBeRefused(SQLException failed) {
        String state = String.valueOf(failed.getSQLState());
        return !OTHER_CAUSES.contains(state)
                && !state.startsWith("57P")
                && !state.startsWith("53")
                && (!state.equals(NOT_CONNECTED) || wasHungUp(failed.getCause()));
    }

    /** The connection was opened and then closed without an answer. */
    private static boolean wasHungUp(@Nullable Throwable cause) {
        return cause instanceof EOFException
                || (cause instanceof SocketException
                        && !(cause instanceof ConnectException)
                        && !(cause instanceof NoRouteToHostException));
    }

    private static String said(SQLException failed) {
        return failed.getMessage() + ", SQLState " + failed.getSQLState();
    }

    private PosthornException failure(SQLException failed) {
        return new PosthornException(
                "No connection to the database " + url.database() + " at " + url.place() + ": "
                        + failed.getMessage() + " (SQLState " + failed.getSQLState()
                        + "). See that Postgres runs there, and that user and password are right." + hint(),
                failed);
    }

    private String hint() {
        return url.sets(OPTIONS)
                ? " The database URL sets options, which proxies such as RDS Proxy refuse: set them with ALTER ROLE … SET instead."
                : "";
    }
}
