package dev.posthorn.postgres;

import static dev.posthorn.postgres.CommandScene.command;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Attempt;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandler;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.CommandStore.Claim;
import dev.posthorn.commands.CommandStore.Lease;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps that return nothing and steps that never return. Run with the rights of a consumer. */
@Timeout(60)
class WorkflowLimitsTest {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LEASE = Duration.ofMillis(1_500);
    private static final Duration STEP_TIME = Duration.ofMillis(600);

    private final Command command = command("key-1", "{}");
    private final CountDownLatch never = new CountDownLatch(1);
    private CommandScene scene;

    @BeforeEach
    void open() throws SQLException {
        scene = new CommandScene();
    }

    @AfterEach
    void close() {
        never.countDown();
        scene.close();
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // as a handler that was compiled without such checks
    private static String nothing() {
        return null;
    }

    @Test
    void aStepThatReturnedNullIsDoneAlsoAfterACrash() {
        AtomicInteger calls = new AtomicInteger();
        CommandRunner<Connection> runner = scene.runner((any, workflow) -> {
            String result = workflow.step("reserve", connection -> {
                CommandScene.write(connection, "reserve");
                return nothing();
            });
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("crashed");
            }
            return "after " + result.length();
        });

        assertThat(runner.call(command)).isInstanceOf(Answer.Failed.class);
        Answer answer = runner.call(command);

        assertThat(answer).isEqualTo(new Answer.Done(answer.run(), "after 0"));
        assertThat(scene.effects()).containsExactly("reserve");
        assertThat(scene.steps()).containsExactly("reserve|DONE|1");
    }

    @Test
    void aStepThatAnEarlierVersionKeptWithoutAResultIsDone() throws Exception {
        Attempt dead = ((Claim.Ours) new PostgresCommands(scene.pool, Schema.DEFAULT)
                        .claim(command, CommandScene.HANDLER, new Lease("dead", CommandScene.LONG)))
                .attempt();
        PostgresWorkflows workflows = new PostgresWorkflows(scene.pool, Schema.DEFAULT);
        assertThat(workflows.begin(dead, "reserve")).isEmpty();
        assertThat(scene.rows(
                        "SELECT posthorn.finish_step('" + dead.run() + "', 1, 'reserve', interval '5 min', NULL)"))
                .containsExactly("t");
        scene.lapse();

        Answer answer = scene.runner((any, workflow) -> {
                    workflow.effect("reserve", connection -> CommandScene.write(connection, "again"));
                    return "done";
                })
                .call(command);

        assertThat(answer).isEqualTo(new Answer.Done(dead.run(), "done"));
        assertThat(scene.effects()).isEmpty();
    }

    @Test
    void aHandlerThatReturnsNullIsDone() {
        CommandRunner<Connection> runner = scene.runner((any, workflow) -> nothing());

        Answer answer = runner.call(command);

        assertThat(answer).isEqualTo(new Answer.Done(answer.run(), ""));
        assertThat(runner.look(command)).contains(answer);
    }

    /** Hangs in its first attempt and is interrupted or not, as the test decides; ships in the next. */
    private CommandHandler<Connection> hanging(AtomicInteger calls, boolean interruptible) {
        return (any, workflow) -> {
            boolean first = calls.incrementAndGet() == 1;
            return workflow.step("ship", connection -> {
                CommandScene.write(connection, "attempt " + workflow.attempt());
                while (first && never.getCount() > 0) {
                    try {
                        never.await();
                    } catch (InterruptedException stop) {
                        if (interruptible) {
                            throw stop;
                        }
                    }
                }
                return "shipped";
            });
        };
    }

    private CommandDesk desk(CommandHandler<Connection> handler) {
        return CommandDesk.open(
                scene.runner(handler, LEASE).lookEvery(SOON).stepTime(STEP_TIME),
                "orders",
                RetryPolicy.fixed(3, SOON),
                scene.pool,
                Schema.DEFAULT);
    }

    @Test
    void aStepThatHangsIsInterruptedAfterItsTimeAndTheRunHasFailed() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (CommandDesk desk = desk(hanging(calls, true))) {
            Future<Answer> answer = thread.submit(() -> desk.call(command));

            assertThat(answer.get(20, SECONDS))
                    .isInstanceOfSatisfying(
                            Answer.Failed.class,
                            failed -> assertThat(failed.error())
                                    .contains("step \"ship\"", "has not ended within 600 ms"));
            assertThat(thread.submit(() -> Thread.currentThread().isInterrupted())
                            .get(20, SECONDS))
                    .as("the flag concerns nobody else")
                    .isFalse();
            assertThat(scene.rows("SELECT state, error FROM posthorn.workflow_step"))
                    .singleElement()
                    .asString()
                    .startsWith("FAILED|")
                    .contains("has not ended within 600 ms");
            assertThat(scene.runs()).containsExactly("FAILED|1");

            Answer again = desk.call(command);
            assertThat(again).isEqualTo(new Answer.Done(again.run(), "shipped"));
        } finally {
            thread.shutdownNow();
        }
        assertThat(scene.effects()).containsExactly("attempt 2");
    }

    @Test
    void aStepThatHangsAndIgnoresTheInterruptIsNotRenewedAndTakenOver() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (CommandDesk desk = desk(hanging(calls, false))) {
            Future<Answer> hangs = thread.submit(() -> desk.call(command));

            Await.until(
                    () -> "another attempt to be done: " + scene.runs(),
                    () -> desk.look(command)
                            .filter(Answer.Done.class::isInstance)
                            .isPresent());
            assertThat(hangs).isNotDone();
            assertThat(scene.runs()).containsExactly("DONE|2");
            assertThat(scene.rows("SELECT name, state, attempt FROM posthorn.workflow_step ORDER BY n"))
                    .containsExactly("ship|FAILED|1", "ship|DONE|2");

            never.countDown();
            assertThat(hangs.get(20, SECONDS)).isInstanceOf(Answer.Done.class);
        } finally {
            thread.shutdownNow();
        }
        assertThat(scene.effects()).as("what hung is undone").containsExactly("attempt 2");
    }

    @Test
    void stepsThatEachEndInTimeMayTakeLongerTogether() {
        try (CommandDesk desk = desk((any, workflow) -> {
            for (int step = 0; step < 5; step++) {
                workflow.effect("step " + step, connection -> {
                    boolean unused = never.await(STEP_TIME.toMillis() / 3, MILLISECONDS);
                });
            }
            return "all";
        })) {
            Answer answer = desk.call(command);

            assertThat(answer).isEqualTo(new Answer.Done(answer.run(), "all"));
        }
        assertThat(scene.runs()).containsExactly("DONE|1");
    }
}
