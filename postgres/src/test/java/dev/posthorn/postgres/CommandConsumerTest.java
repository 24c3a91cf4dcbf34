package dev.posthorn.postgres;

import static dev.posthorn.postgres.CommandScene.command;
import static dev.posthorn.postgres.CommandScene.writing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandler;
import dev.posthorn.commands.CommandRejectedException;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.CommandStore.Claim;
import dev.posthorn.commands.CommandStore.Lease;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands that travel as events over a bus. Run with the rights of a consumer. */
@Tag("exact")
class CommandConsumerTest {

    private static final ConsumerConfig CONFIG = ConsumerConfig.of(
                    Subscriber.named("orders").domains("orders"))
            .retries(RetryPolicy.fixed(3, Duration.ofMillis(10)))
            .reportEvery(Duration.ofMillis(20));

    private final MemoryTransport bus = MemoryTransport.builder().build();
    private final PatientPublisher publisher = new PatientPublisher(bus.publisher());
    private CommandScene scene;

    @BeforeEach
    void open() throws SQLException {
        scene = new CommandScene();
    }

    @AfterEach
    void close() {
        publisher.close();
        bus.close();
        scene.close();
    }

    private Consumer<?> consume(CommandRunner<Connection> runner) {
        return PostgresCommandInbox.consume(bus, CONFIG, runner, scene.pool, Schema.DEFAULT);
    }

    private void publish(Event... events) {
        publisher.publish(List.of(events));
        Await.until("all are accepted", () -> publisher.left() == 0);
    }

    private List<String> letters() {
        return scene.rows(
                "SELECT state, kind, handler, cause, attempts, reason FROM posthorn.dead_letter ORDER BY seq");
    }

    private static long handled(Consumer<?> consumer) {
        return consumer.report().totals().handled();
    }

    @Test
    void aCommandThatComesTwiceRunsOnceAndIsTheSameAsInProcess() {
        CommandRunner<Connection> runner = scene.runner(writing());
        Command command = command("acme", "key-1", "{\"order\": 17}");

        try (Consumer<?> consumer = consume(runner)) {
            publish(command.event(), command.event());
            Await.until("both are handled", () -> handled(consumer) == 2);
        }

        assertThat(scene.effects()).containsExactly("{\"order\": 17}");
        assertThat(scene.runs()).containsExactly("DONE|1");
        assertThat(runner.call(command))
                .isInstanceOfSatisfying(
                        Answer.Done.class, done -> assertThat(done.result()).isEqualTo("done {\"order\": 17}"));
        assertThat(scene.rows("SELECT tenant, idempotency_key, id FROM posthorn.command"))
                .containsExactly("acme|key-1|" + command.id());
        assertThat(Command.of(command.event()).idempotencyKey()).isEqualTo("key-1");
    }

    @Test
    void oneThatFailsIsTriedByPolicyThenADeadLetterAndRunsWhenItIsRedriven() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean(true);
        CommandRunner<Connection> runner = scene.runner((command, workflow) -> {
            workflow.effect("reserve", connection -> CommandScene.write(connection, "reserve"));
            workflow.effect("ship", connection -> {
                CommandScene.write(connection, "ship");
                if (broken.get()) {
                    throw new IllegalStateException("no trucks");
                }
            });
            return "shipped";
        });
        Command command = command("key-1", "{}");

        try (Consumer<?> consumer = consume(runner)) {
            publish(command.event());
            Await.until("it is dead", () -> letters().size() == 1);
            assertThat(letters())
                    .containsExactly("DEAD|command|shipping|processing-failed|3|IllegalStateException: no trucks");
            assertThat(scene.runs()).containsExactly("FAILED|3");

            publish(command.event()); // it was given up, so this is nothing new
            Await.until("it is skipped", () -> consumer.report().totals().skipped() == 1);
            assertThat(scene.runs()).containsExactly("FAILED|3");

            broken.set(false);
            scene.postgres.rows("SELECT posthorn.redrive_letters(array_agg(id), false, 'trucks are back')"
                    + " FROM posthorn.dead_letter");
            Await.until("it is done", () -> scene.runs().equals(List.of("DONE|4")));
            Await.until("its letter is taken", () -> letters().get(0).startsWith("HANDLED"));
        }

        assertThat(scene.effects()).containsExactly("reserve", "ship");
    }

    @Test
    void aRedrivenOneThatFailsIsDeadAgain() throws SQLException {
        CommandRunner<Connection> runner = scene.runner(CommandHandler.single((command, connection) -> {
            throw new CommandRejectedException("no such order");
        }));

        try (Consumer<?> consumer = consume(runner)) {
            publish(command("key-1", "{}").event());
            Await.until(
                    "it is dead at once",
                    () -> letters().equals(List.of("DEAD|command|shipping|rejected|1|no such order")));
            scene.postgres.rows(
                    "SELECT posthorn.redrive_letters(array_agg(id), false, 'again') FROM posthorn.dead_letter");
            Await.until("it was run again", () -> scene.runs().equals(List.of("FAILED|2")));
            Await.until("it is dead again", () -> letters().get(0).startsWith("DEAD"));
            Await.untilCounted(1, () -> consumer.report().totals().dead());
        }
    }

    @Test
    void oneThatExpectsAnotherSequenceIsDeadWithBothAndRunsWhenTheAggregateIsThere() throws SQLException {
        AtomicLong version = new AtomicLong(4);
        CommandRunner<Connection> runner = scene.runner(CommandHandler.single((command, connection) -> {
            command.requireSequence(version.get());
            CommandScene.write(connection, command.text());
            return "";
        }));

        try (Consumer<?> consumer = consume(runner)) {
            publish(command("key-1", "ahead").expecting(5).event());
            Await.until("it is dead at once", () -> letters().size() == 1);
            assertThat(letters())
                    .containsExactly("DEAD|command|shipping|sequence-mismatch|1|"
                            + "the command expects sequence 5, and the aggregate is at 4");
            assertThat(scene.rows("SELECT details ->> 'expected', details ->> 'actual' FROM posthorn.dead_letter"))
                    .containsExactly("5|4");

            version.set(5);
            scene.postgres.rows(
                    "SELECT posthorn.redrive_letters(array_agg(id), false, 'it is there') FROM posthorn.dead_letter");
            Await.until("it is run", () -> scene.effects().equals(List.of("ahead")));
            Await.until("its letter is taken", () -> letters().get(0).startsWith("HANDLED"));
            Await.untilCounted(1, () -> consumer.report().totals().dead());
        }
    }

    @Test
    void oneThatComesTooLateIsMergedByHandWithTheCurrentSequenceAndItsKey() throws SQLException {
        CommandRunner<Connection> runner = scene.runner(CommandHandler.single((command, connection) -> {
            command.requireSequence(7);
            CommandScene.write(connection, command.text());
            return "";
        }));

        try (Consumer<?> consumer = consume(runner)) {
            publish(command("key-1", "{}").expecting(5).event());
            Await.until("it is dead", () -> letters().size() == 1);
            assertThat(scene.rows("SELECT remedy FROM posthorn.dead_letter").get(0))
                    .contains("Merge by hand");

            publish(command("key-1", "{}").expecting(7).event());
            Await.until("the corrected one is run", () -> scene.effects().equals(List.of("{}")));
            scene.postgres.rows(
                    "SELECT posthorn.discard_letters(array_agg(id), 'merged by hand') FROM posthorn.dead_letter");

            assertThat(letters().get(0)).startsWith("DISCARDED");
            assertThat(scene.runs()).as("one run, by the idempotency key").containsExactly("DONE|2");
            assertThat(handled(consumer)).isEqualTo(1);
        }
    }

    @Test
    void oneWhoseExpectationIsNotANumberIsRejected() {
        try (Consumer<?> consumer = consume(scene.runner(writing()))) {
            publish(command("key-1", "{}").event().withHeader(Command.EXPECTED_SEQUENCE, "five"));
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(letters().get(0)).contains("rejected", "expected-sequence", "five");
        assertThat(scene.effects()).isEmpty();
    }

    @Test
    void oneThatConflictsIsADeadLetter() {
        try (Consumer<?> consumer = consume(scene.runner(writing()))) {
            publish(command("key-1", "{\"order\": 17}").event());
            Await.until("the first is done", () -> handled(consumer) == 1); // without a key they have no order
            publish(command("key-1", "{\"order\": 18}").event());
            Await.until("the second is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(letters().get(0))
                .startsWith("DEAD|command|shipping|rejected|1|The idempotency key key-1 was used for another command");
        assertThat(scene.effects()).containsExactly("{\"order\": 17}");
    }

    @Test
    void oneThatAnotherProcessRunsIsWaitedForWithoutAChargeAndTakenOverIfThatIsDead() throws SQLException {
        Command command = command("key-1", "{}");
        Claim dead = new PostgresCommands(scene.pool, Schema.DEFAULT)
                .claim(command, CommandScene.HANDLER, new Lease("dead", Duration.ofMillis(400)));
        assertThat(dead).isInstanceOf(Claim.Ours.class);

        try (Consumer<?> consumer = PostgresCommandInbox.consume(
                bus,
                CONFIG.retries(RetryPolicy.fixed(1, Duration.ofMillis(10))),
                scene.runner(writing()),
                scene.pool,
                Schema.DEFAULT)) {
            publish(command.event());
            Await.until("it is handled", () -> handled(consumer) == 1);
        }

        assertThat(letters()).as("a single attempt was allowed").isEmpty();
        assertThat(scene.effects()).containsExactly("{}");
        assertThat(scene.runs()).containsExactly("DONE|2");
    }

    @Test
    void noTransactionIsOpenWhileStepsAreDone() {
        CommandRunner<Connection> runner = scene.runner((command, workflow) -> {
            String open = String.join(
                    ",",
                    scene.rows("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND state LIKE 'idle in transaction%'"));
            workflow.effect("write", connection -> CommandScene.write(connection, "open: " + open));
            return "";
        });

        try (Consumer<?> consumer = consume(runner)) {
            publish(command("key-1", "{}").event());
            Await.until("it is handled", () -> handled(consumer) == 1);
        }

        assertThat(scene.effects()).containsExactly("open: 0");
    }
}
