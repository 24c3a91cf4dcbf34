package dev.posthorn.examples.openpaw;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandler;
import dev.posthorn.commands.CommandHandlers;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresCommands;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A command that is run only while its aggregate is at the sequence that it expects. */
class ExpectedSequenceTest {

    @Test
    void aCommandThatExpectsASequenceRunsOnlyThen() throws SQLException {
        HikariConfig hikari = new HikariConfig();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().unsafeFast().start()) {
            hikari.setJdbcUrl(postgres.jdbcUrl());
            try (HikariDataSource database = new HikariDataSource(hikari)) {
                new Migrations(Schema.DEFAULT).migrate(database);
                run(database, "CREATE TABLE orders (id text, version bigint, name text)");
                run(database, "INSERT INTO orders VALUES ('17', 5, 'old')");
                Event event = Event.of("shop", "rename-order")
                        .key("17")
                        .json("\"fruit\"")
                        .build();
                // docs:start:command-expecting
                CommandHandlers<Connection> guarded = CommandHandlers.<Connection>none()
                        .on("rename-order", "rename-order", CommandHandler.single((command, connection) -> {
                            command.requireSequence(lockAndReadVersion(connection, command)); // SELECT … FOR UPDATE
                            return rename(connection, command);
                        }));
                Command command = Command.of(event, "rename-17").expecting(5);
                // docs:end:command-expecting
                CommandRunner<Connection> runner =
                        PostgresCommands.runner(database, Schema.DEFAULT, guarded, Duration.ofSeconds(30));

                Answer early = runner.call(Command.of(event, "rename-17").expecting(6));
                assertThat(early)
                        .isInstanceOfSatisfying(
                                Answer.Failed.class,
                                failed -> assertThat(failed.error())
                                        .contains("the command expects sequence 6, and the aggregate is at 5"));
                assertThat(runner.call(command)).isInstanceOf(Answer.Done.class);
                assertThat(runner.call(command))
                        .as("the stored result, though the aggregate has moved on")
                        .isInstanceOf(Answer.Done.class);
            }
        }
    }

    private static void run(HikariDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long lockAndReadVersion(Connection connection, Command command) throws SQLException {
        try (PreparedStatement read =
                connection.prepareStatement("SELECT version FROM orders WHERE id = ? FOR UPDATE")) {
            read.setString(1, command.event().key().orElseThrow());
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static String rename(Connection connection, Command command) throws SQLException {
        try (PreparedStatement change =
                connection.prepareStatement("UPDATE orders SET name = ?, version = version + 1 WHERE id = ?")) {
            change.setString(1, command.text());
            change.setString(2, command.event().key().orElseThrow());
            return Integer.toString(change.executeUpdate());
        }
    }
}
