package dev.posthorn.postgres;

import static dev.posthorn.postgres.CommandScene.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Attempt;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandler;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.CommandStore.Claim;
import dev.posthorn.commands.CommandStore.Lease;
import dev.posthorn.commands.Renewal;
import dev.posthorn.commands.RunLostException;
import dev.posthorn.commands.Takeover;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The steps of a workflow run, each done once, by one owner at a time. Run with the rights of a consumer. */
class WorkflowTest {

    private final Command command = command("key-1", "{}");
    private CommandScene scene;
    private PostgresCommands commands;
    private PostgresWorkflows workflows;

    @BeforeEach
    void open() throws SQLException {
        scene = new CommandScene();
        commands = new PostgresCommands(scene.pool, Schema.DEFAULT);
        workflows = new PostgresWorkflows(scene.pool, Schema.DEFAULT);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    /** As a process that dies afterwards. */
    private Attempt claim(String owner) {
        return ((Claim.Ours) commands.claim(command, CommandScene.HANDLER, new Lease(owner, CommandScene.LONG)))
                .attempt();
    }

    private Takeover<Connection> takeover(CommandRunner<Connection> runner, int attempts) {
        return new Takeover<>(
                runner,
                "orders",
                new PostgresDeadLetters(scene.pool, Schema.DEFAULT),
                RetryPolicy.fixed(attempts, CommandScene.LONG));
    }

    /** Three steps that write their names. */
    private static CommandHandler<Connection> threeSteps() {
        return (command, workflow) -> {
            StringBuilder results = new StringBuilder();
            for (String step : new String[] {"reserve", "pay", "ship"}) {
                results.append(workflow.step(step, connection -> {
                    CommandScene.write(connection, step);
                    return step + "@" + workflow.attempt() + " ";
                }));
            }
            return results.toString();
        };
    }

    @Test
    void everyStepIsLogged() {
        Answer answer = scene.runner(threeSteps()).call(command);

        assertThat(answer).isEqualTo(new Answer.Done(answer.run(), "reserve@1 pay@1 ship@1 "));
        assertThat(scene.effects()).containsExactly("reserve", "pay", "ship");
        assertThat(scene.steps()).containsExactly("reserve|DONE|1", "pay|DONE|1", "ship|DONE|1");
        assertThat(scene.rows("SELECT count(*) FROM posthorn.workflow_step WHERE ended_at >= started_at"))
                .containsExactly("3");
    }

    @Test
    void aStepThatFailsIsUndoneAndLoggedWithItsError() {
        AtomicBoolean broken = new AtomicBoolean(true);
        CommandRunner<Connection> runner = scene.runner((any, workflow) -> {
            workflow.effect("reserve", connection -> CommandScene.write(connection, "reserve"));
            workflow.effect("pay", connection -> {
                CommandScene.write(connection, "pay");
                if (broken.getAndSet(false)) {
                    throw new IllegalStateException("card declined");
                }
            });
            return "paid";
        });

        assertThat(runner.call(command)).isInstanceOf(Answer.Failed.class);
        assertThat(scene.effects()).containsExactly("reserve");
        assertThat(runner.call(command)).isInstanceOf(Answer.Done.class);

        assertThat(scene.effects()).containsExactly("reserve", "pay");
        assertThat(scene.rows("SELECT name, state, attempt, error FROM posthorn.workflow_step ORDER BY n"))
                .containsExactly("reserve|DONE|1|", "pay|FAILED|1|IllegalStateException: card declined", "pay|DONE|2|");
    }

    @Test
    void aStepMayBeTriedAgainWithinAnAttempt() {
        AtomicInteger tries = new AtomicInteger();
        Answer answer = scene.runner((any, workflow) -> {
                    while (true) {
                        try {
                            return workflow.step("call", connection -> {
                                CommandScene.write(connection, "call");
                                if (tries.incrementAndGet() < 3) {
                                    throw new IllegalStateException("busy");
                                }
                                return "answered";
                            });
                        } catch (IllegalStateException busy) {
                            assertThat(busy).hasMessage("busy");
                        }
                    }
                })
                .call(command);

        assertThat(answer).isEqualTo(new Answer.Done(answer.run(), "answered"));
        assertThat(scene.effects()).containsExactly("call");
        assertThat(scene.steps()).containsExactly("call|FAILED|1", "call|FAILED|1", "call|DONE|1");
    }

    @Test
    void aNameIsUsedOnceInARun() {
        Answer answer = scene.runner((any, workflow) -> {
                    workflow.effect("write", connection -> {});
                    workflow.effect("write", connection -> {});
                    return "";
                })
                .call(command);

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failed.class,
                        failed -> assertThat(failed.error()).contains("The step \"write\"", "used twice"));
    }

    @Test
    void aRunOfADeadOwnerIsTakenOverBehindWhatItHadDone() throws Exception {
        Attempt dead = claim("dead");
        assertThat(workflows.begin(dead, "reserve")).isEmpty();
        workflows.run(dead, "reserve", connection -> {
            CommandScene.write(connection, "reserve");
            return "reserve@1 ";
        });
        assertThat(workflows.begin(dead, "pay")).isEmpty(); // and then it died
        CommandRunner<Connection> runner = scene.runner(threeSteps());

        assertThat(runner.call(command)).as("its lease lasts").isInstanceOf(Answer.Running.class);
        scene.lapse();
        Answer answer = runner.call(command);

        assertThat(answer).isEqualTo(new Answer.Done(dead.run(), "reserve@1 pay@2 ship@2 "));
        assertThat(scene.effects()).containsExactly("reserve", "pay", "ship");
        assertThat(scene.steps()).containsExactly("reserve|DONE|1", "pay|LOST|1", "pay|DONE|2", "ship|DONE|2");
    }

    @Test
    void whatAnOldOwnerWritesLateIsRefused() throws Exception {
        Attempt slow = claim("slow");
        assertThat(workflows.begin(slow, "pay")).isEmpty();
        scene.lapse();
        Attempt next = claim("next");

        assertThatThrownBy(() -> workflows.run(slow, "pay", connection -> {
                    CommandScene.write(connection, "late");
                    return "late";
                }))
                .isInstanceOf(RunLostException.class)
                .hasMessageContaining("Attempt 1 of run " + slow.run() + " is over");
        assertThatThrownBy(() -> workflows.begin(slow, "ship")).isInstanceOf(RunLostException.class);
        assertThatThrownBy(() -> workflows.done(slow, "late")).isInstanceOf(RunLostException.class);
        assertThatThrownBy(() -> workflows.failed(slow, "late")).isInstanceOf(RunLostException.class);

        assertThat(scene.effects()).isEmpty();
        assertThat(workflows.begin(next, "pay")).isEmpty();
        assertThat(workflows.run(next, "pay", connection -> "paid")).isEqualTo("paid");
        assertThatThrownBy(() -> workflows.stepFailed(slow, "pay", "late")).isInstanceOf(RunLostException.class);
        workflows.done(next, "right");
        assertThatThrownBy(() -> workflows.done(slow, "late")).isInstanceOf(RunLostException.class);
        assertThat(scene.rows("SELECT state, result FROM posthorn.workflow_run"))
                .containsExactly("DONE|right");
    }

    @Test
    void nobodyTakesARunOverBetweenTheEndOfAStepAndItsCommit() throws Exception {
        Attempt first = claim("first");
        assertThat(workflows.begin(first, "pay")).isEmpty();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<Claim> other;
        try (Connection connection = scene.postgres.transaction()) {
            CommandScene.write(connection, "pay");
            scene.lapse();
            TestPostgres.rows(
                    connection,
                    "SELECT posthorn.finish_step('" + first.run() + "', 1, 'pay', interval '5 min', 'paid')");
            other = thread.submit(
                    () -> commands.claim(command, CommandScene.HANDLER, new Lease("other", CommandScene.LONG)));
            connection.commit();
        }

        assertThat(other.get())
                .as("it waited or came later, and found the lease renewed")
                .isInstanceOfSatisfying(
                        Claim.Theirs.class,
                        theirs -> assertThat(theirs.answer()).isInstanceOf(Answer.Running.class));
        thread.shutdown();
        assertThat(workflows.begin(first, "ship")).isEmpty();
    }

    @Test
    void anOwnerThatWasTakenOverIsAnsweredWhatBecameOfIt() throws Exception {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        CommandRunner<Connection> runner = scene.runner(CommandHandler.single((any, connection) -> {
            String mine = "call " + calls.incrementAndGet();
            if (calls.get() == 1) {
                inStep.countDown();
                go.await();
            }
            CommandScene.write(connection, mine);
            return mine;
        }));
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<Answer> slow = thread.submit(() -> runner.call(command));
        inStep.await();
        scene.lapse();

        Answer next = runner.call(command);
        go.countDown();
        thread.shutdown();

        assertThat(next).isEqualTo(new Answer.Done(next.run(), "call 2"));
        assertThat(slow.get()).isEqualTo(next);
        assertThat(scene.effects()).containsExactly("call 2");
    }

    @Test
    void deadOwnersRunsAreFoundWithoutTheirCommandsComingAgain() throws Exception {
        Attempt dead = claim("dead");
        CommandRunner<Connection> runner = scene.runner(threeSteps());
        Takeover<Connection> takeover = takeover(runner, 2);
        assertThat(takeover.runOnce()).as("its lease lasts").isZero();
        scene.lapse();

        assertThat(takeover.runOnce()).isEqualTo(1);
        assertThat(takeover.runOnce()).isZero();

        assertThat(runner.look(command)).contains(new Answer.Done(dead.run(), "reserve@2 pay@2 ship@2 "));
        assertThat(scene.effects()).containsExactly("reserve", "pay", "ship");
    }

    @Test
    void oneThatFailsWhenItIsTakenOverIsADeadLetterOfKindCommand() throws Exception {
        Attempt dead = claim("dead");
        scene.lapse();
        CommandRunner<Connection> runner = scene.runner((any, workflow) -> {
            throw new IllegalStateException("no trucks");
        });

        takeover(runner, 2).runOnce();

        assertThat(runner.look(command)).contains(new Answer.Failed(dead.run(), 2, "IllegalStateException: no trucks"));
        assertThat(scene.rows(
                        "SELECT state, kind, consumer, handler, event_id, attempts, reason FROM posthorn.dead_letter"))
                .containsExactly(
                        "DEAD|command|orders|shipping|" + command.id() + "|2|IllegalStateException: no trucks");
    }

    @Test
    void oneThatFailsWhenItIsTakenOverIsLeftForAPauseOfThePolicyAndGoneOnWithAgain() throws Exception {
        Attempt dead = claim("dead");
        scene.lapse();
        AtomicBoolean broken = new AtomicBoolean(true);
        CommandRunner<Connection> runner = scene.runner((any, workflow) -> {
            workflow.effect("reserve", connection -> CommandScene.write(connection, "reserve"));
            if (broken.getAndSet(false)) {
                throw new IllegalStateException("no trucks");
            }
            return "shipped";
        });
        Takeover<Connection> takeover = takeover(runner, 3);

        assertThat(takeover.runOnce()).isEqualTo(1);
        assertThat(takeover.runOnce()).as("the pause lasts").isZero();
        scene.lapse();
        assertThat(takeover.runOnce()).isEqualTo(1);

        assertThat(runner.look(command)).contains(new Answer.Done(dead.run(), "shipped"));
        assertThat(scene.effects()).containsExactly("reserve");
        assertThat(scene.rows("SELECT id FROM posthorn.dead_letter")).isEmpty();
    }

    @Test
    void aRenewalGivesARunThatIsInWorkItsLeaseAgainButNoneThatAnotherOneHasTaken() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        List<String> seen = new ArrayList<>();
        AtomicReference<CommandRunner<Connection>> self = new AtomicReference<>();
        CommandRunner<Connection> runner = scene.runner(CommandHandler.single((any, connection) -> {
            if (calls.incrementAndGet() == 1) {
                CommandRunner<Connection> mine = Objects.requireNonNull(self.get());
                Renewal renewal = new Renewal(mine);
                scene.lapse();
                seen.add("renewed " + renewal.runOnce());
                seen.add("taken over " + takeover(mine, 3).runOnce());
                scene.lapse();
                seen.add("taken over " + takeover(mine, 3).runOnce());
                seen.add("renewed " + renewal.runOnce());
            }
            CommandScene.write(connection, "call " + calls.get());
            return "call " + calls.get();
        }));
        self.set(runner);

        Answer answer = runner.call(command);

        assertThat(seen).containsExactly("renewed 1", "taken over 0", "taken over 1", "renewed 0");
        assertThat(answer).isEqualTo(new Answer.Done(answer.run(), "call 2"));
        assertThat(scene.effects()).containsExactly("call 2");
    }
}
