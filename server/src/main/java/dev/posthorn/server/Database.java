package dev.posthorn.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Secrets;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which database and schema, and the connections to it. */
final class Database {

    private static final int POOL = 6;
    private static final int DESK_POOL = 5;
    private static final Duration DESK_PATIENCE = Duration.ofSeconds(5);
    private static final Duration DESK_ANSWER = Duration.ofSeconds(20);
    private static final String DESK_STATEMENT = "10s";
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final String OPTIONS = "options";
    private static final String PROTOCOL_VIOLATION = "08P01";
    private static final Duration CONNECT = Duration.ofSeconds(10);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--database-url",
            paramLabel = "URL",
            defaultValue = "${env:POSTHORN_DATABASE_URL}",
            showDefaultValue = Visibility.NEVER,
            description = "The database, as postgres://user:password@host:5432/database or jdbc:postgresql://…"
                    + " Default: the environment variable POSTHORN_DATABASE_URL, which keeps a password out of the list"
                    + " of processes.")
    private @Nullable DatabaseUrl url;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            defaultValue = "posthorn",
            description = "The schema that holds the log. Default: ${DEFAULT-VALUE}.")
    private String schema = "posthorn";

    /** Not from options. */
    static Database of(DatabaseUrl url, String schema) {
        Database database = new Database();
        database.url = url;
        database.schema = schema;
        return database;
    }

    DatabaseUrl url() {
        if (url == null) {
            throw new ParameterException(
                    command.commandLine(),
                    "Which database? Give --database-url or set the environment variable POSTHORN_DATABASE_URL.");
        }
        return url;
    }

    Schema schema() {
        try {
            return new Schema(schema);
        } catch (IllegalArgumentException invalid) {
            throw new ParameterException(command.commandLine(), "--schema: " + invalid.getMessage());
        }
    }

    /** For a command: one connection; nothing waits longer than this for an answer. */
    HikariDataSource connect(Duration answer) {
        Properties properties = url().properties(settings("posthorn", answer));
        reach(url(), properties);
        return open(1, CONNECT, properties);
    }

    /** For a relay of this name, which waits so long for a connection. It is there also while the database is not. */
    HikariDataSource pool(String name, Duration patience) {
        return pool(name, patience, POOL);
    }

    /** The same with so many connections. */
    HikariDataSource pool(String name, Duration patience, int size) {
        Map<String, String> settings = settings("posthorn relay " + name, Duration.ofSeconds(30));
        settings.put(OPTIONS, PostgresRelayStores.connectionOptions());
        Properties properties = url().properties(settings);
        reachWithOrWithoutOptions(url(), properties);
        return open(size, patience, properties);
    }

    /**
     * For the console of a relay of this name: few connections, and no statement that takes long. It is there also while the
     * database is not, or does not know the login.
     */
    HikariDataSource desk(String name) {
        Map<String, String> settings = settings("posthorn console " + name, DESK_ANSWER);
        settings.put(OPTIONS, PostgresRelayStores.connectionOptions() + " -c statement_timeout=" + DESK_STATEMENT);
        Properties properties = url().properties(settings);
        try {
            reachWithOrWithoutOptions(url(), properties);
        } catch (PosthornException unreachable) {
            LOG.warn("The console has no database yet: {}", Secrets.mask(String.valueOf(unreachable.getMessage())));
        }
        return open(DESK_POOL, DESK_PATIENCE, properties);
    }

    private HikariDataSource open(int size, Duration patience, Properties properties) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url().jdbcUrl());
        config.setDataSourceProperties(properties);
        config.setPoolName("posthorn");
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(patience.toMillis());
        config.setValidationTimeout(Math.max(250, patience.toMillis() / 2));
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private static Map<String, String> settings(String application, Duration answer) {
        Map<String, String> settings = new HashMap<>();
        settings.put("ApplicationName", application.length() > 63 ? application.substring(0, 63) : application);
        settings.put("connectTimeout", Long.toString(CONNECT.toSeconds()));
        settings.put("loginTimeout", Long.toString(CONNECT.toSeconds()));
        settings.put("socketTimeout", Long.toString(answer.toSeconds()));
        settings.put("tcpKeepAlive", "true");
        return settings;
    }

    /** Most poolers refuse connections with options; the relay then sends its settings with each statement. */
    private static void reachWithOrWithoutOptions(DatabaseUrl where, Properties properties) {
        try {
            reach(where, properties);
        } catch (PosthornException refused) {
            boolean protocol =
                    refused.getCause() instanceof SQLException cause && PROTOCOL_VIOLATION.equals(cause.getSQLState());
            if (!protocol || properties.remove(OPTIONS) == null) {
                throw refused;
            }
            LOG.info("{} takes no connection options, as poolers do; the relay sends its settings along", where);
            reach(where, properties);
        }
    }

    /** Says at once, and with the address, what a pool would say late and without. */
    private static void reach(DatabaseUrl where, Properties properties) {
        try (Connection connection = DriverManager.getConnection(where.jdbcUrl(), properties)) {
            connection.isValid(1);
        } catch (SQLException failed) {
            throw new PosthornException(
                    "No connection to the database " + where.database() + " at " + where.place() + ": "
                            + failed.getMessage() + " (SQLState " + failed.getSQLState()
                            + "). See that Postgres runs there, and that user and password are right.",
                    failed);
        }
    }
}
