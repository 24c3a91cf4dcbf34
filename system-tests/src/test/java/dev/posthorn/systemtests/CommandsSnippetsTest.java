package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandlers;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.CommandStore;
import dev.posthorn.commands.HttpRequest;
import dev.posthorn.commands.HttpResponse;
import dev.posthorn.commands.IdempotentHttp;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.postgres.CommandDesk;
import dev.posthorn.postgres.PostgresCommandInbox;
import dev.posthorn.postgres.PostgresCommands;
import dev.posthorn.postgres.PostgresWorkflows;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Java of the page on commands, run. */
class CommandsSnippetsTest {

    private final SnippetDatabase snippets = SnippetDatabase.migrated(16);
    private final DataSource database = snippets.dataSource();
    private final MemoryTransport bus = MemoryTransport.builder().build();
    private final PatientPublisher publisher = new PatientPublisher(bus.publisher());

    @BeforeEach
    void createTable() throws SQLException {
        snippets.run("CREATE TABLE effect (what text, n bigint GENERATED ALWAYS AS IDENTITY)");
    }

    @AfterEach
    void close() {
        publisher.close();
        bus.close();
        snippets.close();
    }

    private static String write(Connection connection, String what) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (what) VALUES (?)")) {
            insert.setString(1, what);
            insert.executeUpdate();
        }
        return what;
    }

    private static String reserve(Command command, Connection connection) throws SQLException {
        return write(connection, "reserve " + command.text());
    }

    private static void charge(Connection connection, String reservation) throws SQLException {
        String unused = write(connection, "charge " + reservation);
    }

    private List<String> effects() {
        return snippets.rows("SELECT what FROM effect ORDER BY n");
    }

    private CommandRunner<Connection> runner() {
        // docs:start:command-runner
        CommandHandlers<Connection> handlers = CommandHandlers.<Connection>none()
                .on("place-order", "place-order", (command, workflow) -> {
                    String reservation = workflow.step("reserve", connection -> reserve(command, connection));
                    workflow.effect("charge", connection -> charge(connection, reservation));
                    return "{\"reservation\": \"" + reservation + "\"}"; // answered to every retry
                });
        CommandRunner<Connection> runner =
                PostgresCommands.runner(database, Schema.DEFAULT, handlers, Duration.ofSeconds(30));
        // docs:end:command-runner
        return runner;
    }

    @Test
    void aCommandIsCalledInProcess() {
        CommandRunner<Connection> runner = runner();
        // docs:start:command-call
        Command command = Command.of(
                Event.of("shop", "place-order")
                        .tenant("acme")
                        .correlationId("request-4711")
                        .json("17 apples")
                        .build(),
                "checkout-17"); // the idempotency key
        Answer answer = runner.call(command);
        String reply = answer.reduce(new Answer.Cases<String>() {
            @Override
            public String done(UUID run, String result) {
                return result; // of now or of before
            }

            @Override
            public String running(UUID run, int attempt, Duration left) {
                return "run " + run + " is at it";
            }

            @Override
            public String failed(UUID run, int attempt, String error) {
                return "attempt " + attempt + " failed, try again";
            }

            @Override
            public String conflict(UUID run, String reason) {
                return "refused: " + reason;
            }
        });
        // docs:end:command-call

        assertThat(reply).isEqualTo("{\"reservation\": \"reserve 17 apples\"}");
        assertThat(runner.call(command)).isEqualTo(answer);
        assertThat(effects()).containsExactly("reserve 17 apples", "charge reserve 17 apples");
    }

    @Test
    void aCommandTravelsOverABus() {
        CommandRunner<Connection> runner = runner();
        // docs:start:command-consumer
        Consumer<?> consumer = PostgresCommandInbox.consume(
                bus,
                ConsumerConfig.of(Subscriber.named("orders").domains("shop")).handlerTime(Duration.ofMinutes(5)),
                runner,
                database,
                Schema.DEFAULT);
        // docs:end:command-consumer
        Command command =
                Command.of(Event.of("shop", "place-order").json("2 pears").build(), "checkout-18");
        publisher.publish(List.of(command.event(), command.event()));
        Await.until("both are handled", () -> consumer.report().totals().handled() == 2);
        consumer.close();

        assertThat(effects()).containsExactly("reserve 2 pears", "charge reserve 2 pears");
    }

    @Test
    void whatADeadProcessHadBegunIsGoneOnWith() throws SQLException {
        CommandRunner<Connection> runner = runner();
        Command command =
                Command.of(Event.of("shop", "place-order").json("1 fig").build());
        new PostgresCommands(database, Schema.DEFAULT)
                .claim(command, "place-order", new CommandStore.Lease("dead", Duration.ofMillis(1)));
        // docs:start:command-takeover
        CommandDesk desk = CommandDesk.open(
                runner.lookEvery(Duration.ofSeconds(5)), "orders", RetryPolicy.exponential(), database, Schema.DEFAULT);
        // docs:end:command-takeover
        Await.until("it is done", () -> desk.look(command).orElseThrow() instanceof Answer.Done);
        desk.close();

        assertThat(effects()).containsExactly("reserve 1 fig", "charge reserve 1 fig");
    }

    @Test
    void aRequestIsAnsweredOnce() throws Exception {
        HttpRequest request = new HttpRequest(
                "POST",
                "/orders",
                Optional.of("acme"),
                Map.of("Idempotency-Key", "checkout-17"),
                "17 apples".getBytes(StandardCharsets.UTF_8));
        // docs:start:http-idempotency
        IdempotentHttp<Connection> http = new IdempotentHttp<>(
                "create-order",
                (received, connection) -> {
                    String order = write(connection, new String(received.body(), StandardCharsets.UTF_8));
                    return HttpResponse.json(201, "{\"order\": \"" + order + "\"}");
                },
                new PostgresCommands(database, Schema.DEFAULT),
                new PostgresWorkflows(database, Schema.DEFAULT),
                Duration.ofSeconds(30));
        HttpResponse response = http.handle(request); // send its status, headers and body
        // docs:end:http-idempotency

        assertThat(response.status()).isEqualTo(201);
        assertThat(http.handle(request).body()).isEqualTo(response.body());
        assertThat(effects()).containsExactly("17 apples");
    }
}
