package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.event.Event;
import dev.posthorn.event.Failure;
import dev.posthorn.event.PosthornException;
import dev.posthorn.event.StorableText;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.HostileValues;
import dev.posthorn.testkit.HostileValues.Text;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Whatever a handler says or throws, its dead letter or answer tells it readably, and other events are handled. */
class HostileHandlersTest {

    private static final RetryPolicy ONCE = RetryPolicy.fixed(1, Duration.ofMillis(5));

    /** What the handler does with each event, and the reason that its dead letter shall have. */
    private record Case(String reason, Callable<Verdict> handling) {}

    private static Map<Event, Case> cases() {
        List<Text> texts = new ArrayList<>(HostileValues.texts());
        texts.add(HostileValues.large(TestSize.of(1, 1, 10)));
        Map<Event, Case> cases = new LinkedHashMap<>();
        for (Text text : texts) {
            String reason = StorableText.remark(text.value());
            cases.put(ConsumerHarness.event("reject"), new Case(reason, () -> Verdict.reject(text.value())));
            cases.put(
                    ConsumerHarness.event("retry"),
                    new Case(reason, () -> Verdict.retry(Duration.ofMillis(1), text.value())));
        }
        for (Throwable failure : HostileValues.failures()) {
            cases.put(ConsumerHarness.event("throw"), new Case(Failure.reasonOf(failure), () -> {
                if (failure instanceof Exception exception) {
                    throw exception;
                }
                throw (Error) failure;
            }));
        }
        return cases;
    }

    @Test
    void aConsumerKeepsALetterForEachAndHandlesTheRest() throws SQLException {
        drive(config().retries(ONCE));
    }

    @Test
    void aConsumerOfBatchesKeepsALetterForEachAndHandlesTheRest() throws SQLException {
        drive(config().retries(ONCE).batch(20, Duration.ofMillis(5)));
    }

    private static void drive(ConsumerConfig config) throws SQLException {
        Map<Event, Case> cases = cases();
        EventHandler<Connection> handler = (event, connection) -> {
            Case hostile = cases.get(event);
            if (hostile != null) {
                return hostile.handling().call();
            }
            ConsumerHarness.write("bill", event, connection);
            return Verdict.done();
        };
        try (ConsumerHarness harness = new ConsumerHarness();
                Consumer<Connection> consumer =
                        harness.start(config, Handlers.<Connection>none().on("order.placed", "bill", handler))) {
            int controls = 0;
            for (Event event : cases.keySet()) {
                Event control = ConsumerHarness.event("control");
                controls++;
                harness.publish(event, control);
                Await.until(
                        () -> "the control event after " + cases.get(event),
                        () -> harness.rows("SELECT 1 FROM effect WHERE event = '" + control.id() + "'")
                                .equals(List.of("1")));
                Await.until(
                        () -> "the dead letter of " + cases.get(event),
                        () -> letter(harness, event.id()).isPresent());
                assertThat(letter(harness, event.id()))
                        .hasValue(Objects.requireNonNull(cases.get(event)).reason());
            }
            Await.untilCounted(controls, () -> consumer.report().totals().handled());
        }
    }

    private static Optional<String> letter(ConsumerHarness harness, UUID event) {
        return harness.rows("SELECT reason FROM posthorn.dead_letter WHERE event_id = '" + event + "'").stream()
                .findFirst();
    }

    @Test
    void aCommandWhoseResultCannotBeStoredHasFailedWithAClearError() throws SQLException {
        try (CommandScene scene = new CommandScene()) {
            for (Text text : HostileValues.unstorable()) {
                CommandRunner<Connection> runner = scene.runner((command, workflow) -> text.value());

                Answer answer = runner.call(CommandScene.command("result " + text.what(), "{}"));

                assertThat(answer)
                        .isInstanceOfSatisfying(
                                Answer.Failed.class,
                                failed -> assertThat(failed.error()).contains("Cannot store result of the command"));
            }
            assertThat(scene.runner(CommandScene.writing()).call(CommandScene.command("control", "{}")))
                    .isInstanceOf(Answer.Done.class);
        }
    }

    @Test
    void anythingThatCanBeStoredIsTheResultOfAStepAndOfACommand() throws SQLException {
        try (CommandScene scene = new CommandScene()) {
            for (Text text : HostileValues.odd()) {
                CommandRunner<Connection> runner =
                        scene.runner((command, workflow) -> workflow.step(text.value(), connection -> text.value()));
                Command command = CommandScene.command("odd " + text.what(), "{}");

                assertThat(runner.call(command))
                        .isInstanceOfSatisfying(
                                Answer.Done.class,
                                done -> assertThat(done.result()).isEqualTo(text.value()));
                assertThat(runner.look(command))
                        .hasValueSatisfying(answer -> assertThat(answer)
                                .isInstanceOfSatisfying(
                                        Answer.Done.class,
                                        done -> assertThat(done.result()).isEqualTo(text.value())));
            }
        }
    }

    @Test
    void aStepOfAHostileNameOrResultFailsItsCommandWithAClearError() throws SQLException {
        try (CommandScene scene = new CommandScene()) {
            for (Text text : HostileValues.unstorable()) {
                Answer named = scene.runner((command, workflow) -> workflow.step(text.value(), connection -> "x"))
                        .call(CommandScene.command("name " + text.what(), "{}"));
                Answer answered = scene.runner((command, workflow) -> workflow.step("pay", connection -> text.value()))
                        .call(CommandScene.command("step " + text.what(), "{}"));

                assertThat(named)
                        .isInstanceOfSatisfying(
                                Answer.Failed.class,
                                failed -> assertThat(failed.error()).contains("Cannot store step name"));
                assertThat(answered)
                        .isInstanceOfSatisfying(
                                Answer.Failed.class,
                                failed -> assertThat(failed.error()).contains("Cannot store result of step pay"));
            }
        }
    }

    @Test
    void whateverACommandThrowsIsItsStoredError() throws SQLException {
        try (CommandScene scene = new CommandScene()) {
            int number = 0;
            for (Throwable failure : HostileValues.failures()) {
                CommandRunner<Connection> runner = scene.runner((command, workflow) -> {
                    if (failure instanceof Exception exception) {
                        throw exception;
                    }
                    throw (Error) failure;
                });
                Command command = CommandScene.command("throws " + number++, "{}");

                assertThat(runner.call(command)).isInstanceOf(Answer.Failed.class);
                assertThat(runner.look(command))
                        .hasValueSatisfying(answer -> assertThat(answer)
                                .isInstanceOfSatisfying(
                                        Answer.Failed.class,
                                        failed -> assertThat(failed.error())
                                                .contains(failure.getClass().getSimpleName())));
            }
        }
    }

    @Test
    void aCommandOfAHostileKeyIsRefusedWithAClearError() throws SQLException {
        try (CommandScene scene = new CommandScene()) {
            CommandRunner<Connection> runner = scene.runner(CommandScene.writing());
            for (Text text : HostileValues.texts()) {
                try {
                    assertThat(runner.call(CommandScene.command(text.value(), "{}")))
                            .as(text.what())
                            .isInstanceOf(Answer.Done.class);
                } catch (PosthornException | IllegalArgumentException refused) {
                    assertThat(refused.getMessage()).as(text.what()).contains("idempotency key");
                }
            }
            assertThat(runner.call(CommandScene.command("control", "{}"))).isInstanceOf(Answer.Done.class);
        }
    }
}
