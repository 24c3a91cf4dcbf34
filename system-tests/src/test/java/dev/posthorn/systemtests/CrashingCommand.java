package dev.posthorn.systemtests;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandler;
import dev.posthorn.commands.CommandHandlers;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresCommands;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs one command of three steps, and halts at a point of it until it is killed, or until the test lets go of an advisory lock;
 * or calls it from some threads at the moment at which the test lets go.
 */
final class CrashingCommand {

    static final List<String> STEPS = List.of("reserve", "pay", "ship");

    /** Before each step, in it after its effect and before its commit, and after the last one. */
    static final List<String> POINTS =
            List.of("before reserve", "in reserve", "before pay", "in pay", "before ship", "in ship", "end");

    static final String NOWHERE = "nowhere";
    static final int GATE = 17;
    private static final String TYPE = "ship-order";

    private CrashingCommand() {}

    /** The database, the command's id, the lease in milliseconds, where to halt, and how many threads call. */
    public static void main(String[] args) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[0]);
        CommandRunner<Connection> runner = runner(database, Duration.ofMillis(Long.parseLong(args[2])), args[3]);
        Command command = command(UUID.fromString(args[1]));
        int threads = Integer.parseInt(args[4]);
        if (threads == 1) {
            say(runner.call(command));
            return;
        }
        ExecutorService storm = Executors.newFixedThreadPool(threads);
        System.out.println("ready");
        awaitGate(database);
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            answers.add(storm.submit(() -> runner.call(command)));
        }
        for (Future<Answer> answer : answers) {
            say(answer.get());
        }
        storm.shutdown();
    }

    private static void say(Answer answer) {
        System.out.println(answer.getClass().getSimpleName() + " " + answer.run());
    }

    static Command command(UUID id) {
        return Command.of(Event.of("shop", TYPE).id(id).json("{}").build());
    }

    static CommandRunner<Connection> runner(DataSource database, Duration lease, String haltAt) {
        CommandHandler<Connection> handler = (command, workflow) -> {
            for (String step : STEPS) {
                halt(database, haltAt, "before " + step);
                workflow.effect(step, connection -> {
                    write(connection, step);
                    halt(database, haltAt, "in " + step);
                });
            }
            halt(database, haltAt, "end");
            return "shipped";
        };
        return PostgresCommands.runner(
                database, Schema.DEFAULT, CommandHandlers.<Connection>none().on(TYPE, "shipping", handler), lease);
    }

    private static void write(Connection connection, String step) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (what) VALUES (?)")) {
            insert.setString(1, step);
            insert.executeUpdate();
        }
    }

    private static void halt(DataSource database, String haltAt, String here) throws SQLException {
        if (haltAt.equals(here)) {
            System.out.println(here);
            awaitGate(database);
        }
    }

    /** Until the test lets go of the lock. */
    private static void awaitGate(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock_shared(" + GATE + ")");
        }
    }
}
