package dev.posthorn.postgres;

import static dev.posthorn.postgres.CommandScene.command;
import static dev.posthorn.postgres.CommandScene.writing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandler;
import dev.posthorn.commands.CommandHandlers;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.CommandStoreException;
import dev.posthorn.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A command runs once for each handler and tenant, whoever brings it. Run with the rights of a consumer. */
class CommandTest {

    private CommandScene scene;

    @BeforeEach
    void open() throws SQLException {
        scene = new CommandScene();
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void theFirstRunsAndALaterOneIsAnsweredTheStoredResult() {
        Command command = command("key-1", "{\"order\": 17}");
        CommandRunner<Connection> runner = scene.runner(writing());

        assertThat(runner.look(command)).isEmpty();
        Answer first = runner.call(command);
        Answer second = scene.runner(writing()).call(command);

        assertThat(first).isEqualTo(new Answer.Done(first.run(), "done {\"order\": 17}"));
        assertThat(second).isEqualTo(first);
        assertThat(runner.look(command)).contains(first);
        assertThat(scene.effects()).containsExactly("{\"order\": 17}");
        assertThat(scene.runs()).containsExactly("DONE|1");
    }

    @Test
    void oneThatComesWhileItRunsIsAnsweredItsRunAndState() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CommandRunner<Connection> runner = scene.runner(CommandHandler.single((command, connection) -> {
            running.countDown();
            go.await();
            return "done";
        }));
        Command command = command("key-1", "{}");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<Answer> first = thread.submit(() -> runner.call(command));
        running.await();

        Answer second = runner.call(command);
        go.countDown();
        thread.shutdown();

        assertThat(second)
                .isInstanceOfSatisfying(
                        Answer.Running.class,
                        answer -> assertThat(answer.left()).isBetween(Duration.ofMinutes(4), CommandScene.LONG));
        assertThat(first.get()).isEqualTo(new Answer.Done(second.run(), "done"));
    }

    @Test
    void oneThatFailedIsRunAgainAsTheNextAttempt() {
        AtomicInteger attempts = new AtomicInteger();
        CommandRunner<Connection> runner = scene.runner((command, workflow) -> {
            workflow.effect("write", connection -> CommandScene.write(connection, "attempt " + workflow.attempt()));
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("no trucks");
            }
            return "attempt " + workflow.attempt();
        });
        Command command = command("key-1", "{}");

        Answer first = runner.call(command);
        assertThat(runner.look(command)).contains(first);
        Answer second = runner.call(command);

        assertThat(first).isEqualTo(new Answer.Failed(first.run(), 1, "IllegalStateException: no trucks"));
        assertThat(second).isEqualTo(new Answer.Done(first.run(), "attempt 2"));
        assertThat(scene.effects()).as("a step that is done stays done").containsExactly("attempt 1");
        assertThat(scene.runs()).containsExactly("DONE|2");
    }

    @Test
    void aRetryWithAnotherIdIsKnownByItsIdempotencyKey() {
        CommandRunner<Connection> runner = scene.runner(writing());

        Answer first = runner.call(command("key-1", "{}"));
        Answer retry = runner.call(command("key-1", "{}"));

        assertThat(retry).isEqualTo(first);
        assertThat(scene.effects()).hasSize(1);
    }

    @Test
    void theSameKeyWithAnotherBodyIsAConflict() {
        CommandRunner<Connection> runner = scene.runner(writing());
        Answer first = runner.call(command("key-1", "{\"order\": 17}"));

        Answer other = runner.call(command("key-1", "{\"order\": 18}"));

        assertThat(other)
                .isInstanceOfSatisfying(
                        Answer.Conflict.class,
                        conflict -> assertThat(conflict.reason()).contains("idempotency key key-1 was used"));
        assertThat(other.run()).isEqualTo(first.run());
        assertThat(scene.effects()).containsExactly("{\"order\": 17}");
    }

    @Test
    void theSameIdWithAnotherKeyOrBodyIsAConflict() {
        CommandRunner<Connection> runner = scene.runner(writing());
        UUID id = UUID.randomUUID();
        Event event = Event.of("orders", CommandScene.TYPE).id(id).json("{}").build();
        runner.call(Command.of(event));

        assertThat(runner.call(Command.of(event))).isInstanceOf(Answer.Done.class);
        assertThat(runner.call(Command.of(event, "another"))).isInstanceOf(Answer.Conflict.class);
        assertThat(runner.call(Command.of(Event.of("orders", CommandScene.TYPE)
                        .id(id)
                        .json("{\"a\": 1}")
                        .build())))
                .isInstanceOf(Answer.Conflict.class);
    }

    @Test
    void oneTenantsKeysAreNothingToAnother() {
        CommandRunner<Connection> runner = scene.runner(writing());

        assertThat(runner.call(command("acme", "key-1", "{\"order\": 1}"))).isInstanceOf(Answer.Done.class);
        assertThat(runner.call(command("bolt", "key-1", "{\"order\": 2}"))).isInstanceOf(Answer.Done.class);
        assertThat(runner.call(command("key-1", "{\"order\": 3}"))).isInstanceOf(Answer.Done.class);
        assertThat(runner.call(command("acme", "key-1", "{\"order\": 2}"))).isInstanceOf(Answer.Conflict.class);

        assertThat(scene.effects()).containsExactly("{\"order\": 1}", "{\"order\": 2}", "{\"order\": 3}");
    }

    @Test
    void anotherHandlerRunsTheSameCommandForItself() {
        Command command = command("key-1", "{}");
        CommandRunner<Connection> other = PostgresCommands.runner(
                scene.pool,
                Schema.DEFAULT,
                CommandHandlers.<Connection>none().on(CommandScene.TYPE, "audit", writing()),
                CommandScene.LONG);

        scene.runner(writing()).call(command);
        other.call(command);

        assertThat(scene.effects()).hasSize(2);
    }

    @Test
    void aStormOf200ThreadsIsOneRun() throws Exception {
        int threads = 200;
        CyclicBarrier together = new CyclicBarrier(threads);
        ExecutorService storm = Executors.newFixedThreadPool(threads);
        CommandRunner<Connection> runner = scene.runner(writing());
        Command command = command("key-1", "{}");

        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            answers.add(storm.submit(() -> {
                together.await();
                return runner.call(command);
            }));
        }
        List<Answer> said = new ArrayList<>();
        for (Future<Answer> answer : answers) {
            said.add(answer.get());
        }
        storm.shutdown();

        assertThat(said).extracting(Answer::run).containsOnly(said.get(0).run());
        assertThat(said)
                .hasSize(threads)
                .allMatch(answer -> answer instanceof Answer.Done
                        || (answer instanceof Answer.Running running && running.attempt() == 1));
        assertThat(scene.effects()).hasSize(1);
        assertThat(scene.runs()).containsExactly("DONE|1");
    }

    @Test
    void aStormOnOneThatFailedIsOneMoreAttempt() throws Exception {
        int threads = 50;
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch answered = new CountDownLatch(threads - 1);
        CommandRunner<Connection> runner = scene.runner(CommandHandler.single((command, connection) -> {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("no");
            }
            answered.await(); // all others come while this one runs
            return "done";
        }));
        Command command = command("key-1", "{}");
        runner.call(command);
        ExecutorService storm = Executors.newFixedThreadPool(threads);

        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            answers.add(storm.submit(() -> {
                Answer answer = runner.call(command);
                answered.countDown();
                return answer;
            }));
        }
        int done = 0;
        for (Future<Answer> answer : answers) {
            done += answer.get() instanceof Answer.Done ? 1 : 0;
        }
        storm.shutdown();

        assertThat(done).isEqualTo(1);
        assertThat(scene.runs()).containsExactly("DONE|2");
    }

    @Test
    void whatNobodyCouldRememberIsNotRun() {
        CommandRunner<Connection> away = PostgresCommands.runner(
                scene.pool,
                new Schema("nowhere"),
                CommandHandlers.<Connection>none().on(CommandScene.TYPE, "shipping", writing()),
                CommandScene.LONG);

        assertThatThrownBy(() -> away.call(command("key-1", "{}")))
                .isInstanceOf(CommandStoreException.class)
                .hasMessageContaining("can not be read or written");
        assertThat(scene.effects()).isEmpty();
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        CommandHandlers<Connection> one =
                CommandHandlers.<Connection>none().on(CommandScene.TYPE, "shipping", writing());

        assertThatThrownBy(() -> one.on(CommandScene.TYPE, "another", writing()))
                .hasMessageContaining("two handlers of commands of type \"ship-order\"");
        assertThatThrownBy(() -> command("k".repeat(256), "{}")).hasMessageContaining("Give it 1 to 255");
        assertThatThrownBy(() -> scene.runner(writing())
                        .call(Command.of(Event.of("orders", "bill").build())))
                .hasMessageContaining("No handler runs Command[")
                .hasMessageContaining("orders/bill");
    }
}
