package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandler;
import dev.posthorn.commands.CommandHandlers;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Commands whose effects are rows of a table, run with the rights of a consumer. */
final class CommandScene implements AutoCloseable {

    static final Duration LONG = Duration.ofMinutes(5);
    static final String TYPE = "ship-order";
    static final String HANDLER = "shipping";

    final TestPostgres postgres = TestPostgres.migrated();
    final TestRole role;
    final HikariDataSource pool;

    CommandScene() throws SQLException {
        postgres.run("CREATE TABLE effect (what text, n bigint GENERATED ALWAYS AS IDENTITY)");
        role = TestRole.create(postgres, Schema.DEFAULT, RoleKind.CONSUMER);
        postgres.run("GRANT INSERT ON effect TO " + Identifiers.quote(role.name()));
        pool = TestPostgres.pool(role.dataSource());
    }

    CommandRunner<Connection> runner(CommandHandler<Connection> handler) {
        return runner(handler, LONG);
    }

    CommandRunner<Connection> runner(CommandHandler<Connection> handler, Duration lease) {
        return PostgresCommands.runner(
                pool, Schema.DEFAULT, CommandHandlers.<Connection>none().on(TYPE, HANDLER, handler), lease);
    }

    static Command command(String key, String body) {
        return Command.of(Event.of("orders", TYPE).json(body).build(), key);
    }

    static Command command(String tenant, String key, String body) {
        return Command.of(Event.of("orders", TYPE).tenant(tenant).json(body).build(), key);
    }

    static void write(Connection connection, String what) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (what) VALUES (?)")) {
            insert.setString(1, what);
            insert.executeUpdate();
        }
    }

    /** A handler that writes its command's payload, and answers it. */
    static CommandHandler<Connection> writing() {
        return CommandHandler.single((command, connection) -> {
            write(connection, command.text());
            return "done " + command.text();
        });
    }

    /** In the order in which they happened. */
    List<String> effects() {
        return rows("SELECT what FROM effect ORDER BY n");
    }

    List<String> runs() {
        return rows("SELECT state, attempt FROM posthorn.workflow_run ORDER BY started_at");
    }

    List<String> steps() {
        return rows("SELECT name, state, attempt FROM posthorn.workflow_step ORDER BY n");
    }

    List<String> rows(String sql) {
        try {
            return postgres.rows(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** As if the owner of every run were dead. */
    void lapse() throws SQLException {
        postgres.run("UPDATE posthorn.workflow_run SET until = clock_timestamp() WHERE state = 'RUNNING'");
    }

    @Override
    public void close() {
        pool.close();
    }
}
