package dev.posthorn.postgres;

import static dev.posthorn.postgres.CommandScene.command;
import static dev.posthorn.postgres.CommandScene.writing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Attempt;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandler;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.CommandStore.Claim;
import dev.posthorn.commands.CommandStore.Lease;
import dev.posthorn.commands.RunLostException;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs that are looked after in the background, by desks and by consumers. Run with the rights of a consumer. */
class CommandDeskTest {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final RetryPolicy TWICE = RetryPolicy.fixed(2, SOON);

    private final Command command = command("key-1", "{}");
    private CommandScene scene;

    @BeforeEach
    void open() throws SQLException {
        scene = new CommandScene();
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private CommandDesk desk(CommandRunner<Connection> runner) {
        return CommandDesk.open(runner.lookEvery(SOON), "orders", TWICE, scene.pool, Schema.DEFAULT);
    }

    /** An owner that did its first step, and was not heard of again. */
    private Attempt abandonAfter(String step) throws Exception {
        Attempt attempt = ((Claim.Ours) new PostgresCommands(scene.pool, Schema.DEFAULT)
                        .claim(command, CommandScene.HANDLER, new Lease("abandoned", CommandScene.LONG)))
                .attempt();
        PostgresWorkflows workflows = new PostgresWorkflows(scene.pool, Schema.DEFAULT);
        assertThat(workflows.begin(attempt, step)).isEmpty();
        String unused = workflows.run(attempt, step, connection -> {
            CommandScene.write(connection, step);
            return "";
        });
        scene.lapse();
        return attempt;
    }

    private static CommandHandler<Connection> reserveAndShip() {
        return (any, workflow) -> {
            workflow.effect("reserve", connection -> CommandScene.write(connection, "reserve"));
            workflow.effect("ship", connection -> CommandScene.write(connection, "ship"));
            return "shipped";
        };
    }

    @Test
    void aRunWhoseOwnerWasAbandonedIsFinishedByAnotherBehindItsDoneSteps() throws Exception {
        Attempt abandoned = abandonAfter("reserve");

        try (CommandDesk desk = desk(scene.runner(reserveAndShip()))) {
            Await.until("it is done", () -> desk.look(command).orElseThrow() instanceof Answer.Done);
        }

        assertThat(scene.effects()).containsExactly("reserve", "ship");
        assertThat(scene.steps()).containsExactly("reserve|DONE|1", "ship|DONE|2");
        PostgresWorkflows late = new PostgresWorkflows(scene.pool, Schema.DEFAULT);
        assertThatThrownBy(() -> late.renew(abandoned)).isInstanceOf(RunLostException.class);
        assertThatThrownBy(() -> late.begin(abandoned, "ship")).isInstanceOf(RunLostException.class);
    }

    @Test
    void aConsumerTakesOverByItselfWithoutTheCommandComingAgainButNotWhileItIsPaused() throws Exception {
        try (MemoryTransport bus = MemoryTransport.builder().build();
                Consumer<?> consumer = PostgresCommandInbox.consume(
                        bus,
                        ConsumerConfig.of(Subscriber.named("orders").domains("orders"))
                                .reportEvery(SOON),
                        scene.runner(reserveAndShip()).lookEvery(SOON),
                        scene.pool,
                        Schema.DEFAULT)) {
            consumer.pause();
            awaitTurns(consumer);
            Attempt abandoned = abandonAfter("reserve");
            awaitTurns(consumer);
            assertThat(scene.runs()).as("paused").containsExactly("RUNNING|1");

            consumer.resume();
            Await.until("it is done", () -> scene.runs().equals(List.of("DONE|2")));
            assertThat(scene.rows("SELECT id FROM posthorn.workflow_run"))
                    .containsExactly(abandoned.run().toString());
        }

        assertThat(scene.effects()).containsExactly("reserve", "ship");
    }

    /** Long enough for a loop that looks as often as the consumer reports. */
    private void awaitTurns(Consumer<?> consumer) {
        for (int turn = 0; turn < 3; turn++) {
            String before = lastReport();
            Await.until("the consumer reports", () -> !lastReport().equals(before));
        }
        assertThat(consumer.isPaused()).isTrue();
    }

    private String lastReport() {
        return String.join("", scene.rows("SELECT max(seen_at) FROM posthorn.consumer_member"));
    }

    @Test
    @Tag("slow")
    void aStepThatTakesLongerThanItsLeaseIsNotTakenOverWhileItsOwnerLives() throws Exception {
        Duration lease = Duration.ofSeconds(4);
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        CommandHandler<Connection> slow = CommandHandler.single((any, connection) -> {
            calls.incrementAndGet();
            go.await();
            CommandScene.write(connection, "slow");
            return "slow";
        });
        ExecutorService thread = Executors.newSingleThreadExecutor();

        try (CommandDesk owner = desk(scene.runner(slow, lease));
                CommandDesk other = desk(scene.runner(slow, lease))) {
            Future<Answer> answer = thread.submit(() -> owner.call(command));
            Await.until(
                    "the step lasts longer than its lease",
                    () -> scene.rows("SELECT 1 FROM posthorn.workflow_step WHERE clock_timestamp() - started_at"
                                    + " > interval '6 s'")
                            .equals(List.of("1")));
            go.countDown();

            assertThat(answer.get()).isEqualTo(new Answer.Done(answer.get().run(), "slow"));
            assertThat(other.look(command)).contains(answer.get());
        } finally {
            thread.shutdownNow();
        }
        assertThat(calls).hasValue(1);
        assertThat(scene.runs()).containsExactly("DONE|1");
        assertThat(scene.effects()).containsExactly("slow");
    }

    @Test
    void oneThatGoesOnFailingIsADeadLetterAfterTheLastAttemptAndIsLeftAlone() throws Exception {
        Attempt abandoned = abandonAfter("reserve");

        try (CommandDesk desk = CommandDesk.open(
                scene.runner((any, workflow) -> {
                            throw new IllegalStateException("no trucks");
                        })
                        .lookEvery(SOON),
                "orders",
                RetryPolicy.fixed(4, SOON),
                scene.pool,
                Schema.DEFAULT)) {
            Await.until("it has failed", () -> desk.look(command).orElseThrow() instanceof Answer.Failed);
        }

        assertThat(scene.rows("SELECT state, kind, consumer, handler, attempts, reason FROM posthorn.dead_letter"))
                .containsExactly("DEAD|command|orders|shipping|4|IllegalStateException: no trucks");
        assertThat(scene.runs()).containsExactly("FAILED|4");
        assertThat(scene.rows("SELECT id FROM posthorn.workflow_run"))
                .containsExactly(abandoned.run().toString());
    }

    @Test
    void aDeskThatIsClosedTakesNothingOver() throws Exception {
        CommandDesk desk = desk(scene.runner(writing()));

        desk.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("posthorn-take-over-orders", "posthorn-run-lease-orders");
    }
}
