package dev.posthorn.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which database and schema, and the connections to it. */
final class Database {

    private static final int POOL = 6;
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
        return open("posthorn", 1, CONNECT, answer);
    }

    /** For a relay of this name, which waits so long for a connection. It is there also while the database is not. */
    HikariDataSource pool(String name, Duration patience) {
        return open("posthorn relay " + name, POOL, patience, Duration.ofSeconds(30));
    }

    private HikariDataSource open(String application, int size, Duration patience, Duration answer) {
        DatabaseUrl where = url();
        Properties properties = where.properties(settings(application, answer));
        reach(where, properties);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(where.jdbcUrl());
        config.setDataSourceProperties(properties);
        config.setPoolName("posthorn");
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(patience.toMillis());
        config.setValidationTimeout(Math.max(250, patience.toMillis() / 2));
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private static Map<String, String> settings(String application, Duration answer) {
        return Map.of(
                "ApplicationName", application.length() > 63 ? application.substring(0, 63) : application,
                "connectTimeout", Long.toString(CONNECT.toSeconds()),
                "loginTimeout", Long.toString(CONNECT.toSeconds()),
                "socketTimeout", Long.toString(answer.toSeconds()),
                "tcpKeepAlive", "true");
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
