package dev.posthorn.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Secrets;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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
            defaultValue = "${env:POSTHORN_DATABASE_SCHEMA:-posthorn}",
            showDefaultValue = Visibility.NEVER,
            description =
                    "The schema that holds the log. Default: the environment variable POSTHORN_DATABASE_SCHEMA, or"
                            + " posthorn.")
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
        return open(
                1,
                CONNECT,
                DatabaseLogin.of(url(), settings("posthorn", answer)).reached());
    }

    /** For a relay of this name, which waits so long for a connection. It is there also while the database is not. */
    HikariDataSource pool(String name, Duration patience) {
        return pool(name, patience, POOL);
    }

    /** The same with so many connections. */
    HikariDataSource pool(String name, Duration patience, int size) {
        Map<String, String> settings = settings("posthorn relay " + name, Duration.ofSeconds(30));
        settings.put(DatabaseLogin.OPTIONS, PostgresRelayStores.connectionOptions());
        return open(size, patience, DatabaseLogin.of(url(), settings).reached());
    }

    /**
     * For the console of a relay of this name: few connections, and no statement that takes long. It is there also while the
     * database is not, or does not know the login.
     */
    HikariDataSource desk(String name) {
        Map<String, String> settings = settings("posthorn console " + name, DESK_ANSWER);
        settings.put(
                DatabaseLogin.OPTIONS,
                PostgresRelayStores.connectionOptions() + " -c statement_timeout=" + DESK_STATEMENT);
        DatabaseLogin login = DatabaseLogin.of(url(), settings);
        try {
            login = login.reached();
        } catch (PosthornException unreachable) {
            LOG.warn("The console has no database yet: {}", Secrets.mask(String.valueOf(unreachable.getMessage())));
        }
        return open(DESK_POOL, DESK_PATIENCE, login);
    }

    private static HikariDataSource open(int size, Duration patience, DatabaseLogin login) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(login.jdbcUrl());
        config.setDataSourceProperties(login.properties());
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
}
