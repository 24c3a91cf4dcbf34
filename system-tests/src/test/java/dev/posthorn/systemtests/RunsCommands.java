package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandlers;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.postgres.PostgresCommandInbox;
import dev.posthorn.postgres.PostgresCommands;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands over a real broker, run by two members of a consumer. */
interface RunsCommands {

    int TIMES = 20;

    /** A connection to the broker; the test closes it. */
    Bus openBus();

    /** Where the runs are; migrated. */
    DataSource database();

    /** What is there, the first column of each row. */
    List<String> rows(String sql);

    /** How many deliveries there are if an event is published so often. */
    default int deliveries(int published) {
        return published;
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    default void aCommandThatIsSentManyTimesIsOneRunAndOneThatFailsIsADeadLetterOfKindCommand() {
        CommandRunner<Connection> runner = PostgresCommands.runner(
                database(),
                Schema.DEFAULT,
                CommandHandlers.<Connection>none()
                        .on(
                                "pay",
                                "payments",
                                (command, workflow) -> workflow.step("pay", connection -> "paid " + command.text()))
                        .on("refund", "refunds", (command, workflow) -> {
                            workflow.effect("look up", connection -> {});
                            throw new IllegalStateException("no account 4711");
                        }),
                Duration.ofMinutes(1));
        ConsumerConfig config = ConsumerConfig.of(Subscriber.named("till").domains("billing"))
                .retries(RetryPolicy.fixed(2, Duration.ofMillis(10)));
        Command pay = Command.of(payAgain());
        Command refund = Command.of(
                Event.of("billing", "refund").key("account-2").json("{}").build());

        try (Bus bus = openBus();
                Bus another = openBus();
                Consumer<?> first = PostgresCommandInbox.consume(bus, config, runner, database(), Schema.DEFAULT);
                Consumer<?> second = PostgresCommandInbox.consume(another, config, runner, database(), Schema.DEFAULT);
                PatientPublisher publisher = new PatientPublisher(bus.publisher())) {
            publisher.publish(Collections.nCopies(TIMES, pay.event()));
            for (int i = 0; i < TIMES; i++) {
                publisher.publish(List.of(payAgain()));
            }
            publisher.publish(List.of(refund.event()));
            Await.within(
                    Duration.ofMinutes(2),
                    () -> "all are handled: " + first.report() + second.report(),
                    () -> first.report().totals().handled()
                                            + second.report().totals().handled()
                                    == deliveries(TIMES) + TIMES
                            && first.report().totals().dead()
                                            + second.report().totals().dead()
                                    == 1);
        }

        Answer answer = runner.look(pay).orElseThrow();
        assertThat(answer).isEqualTo(new Answer.Done(answer.run(), "paid {\"n\":17}"));
        assertThat(runner.call(pay)).as("answered from what is stored").isEqualTo(answer);
        assertThat(rows("SELECT handler || ' ' || state || ' ' || attempt FROM posthorn.workflow_run ORDER BY handler"))
                .containsExactly("payments DONE 1", "refunds FAILED 2");
        assertThat(rows("SELECT name || ' ' || state FROM posthorn.workflow_step ORDER BY n"))
                .as("what was done is not done again")
                .containsExactlyInAnyOrder("pay DONE", "look up DONE");
        assertThat(rows("SELECT kind || ' ' || handler || ' ' || event_id || ' ' || attempts || ' ' || reason"
                        + " FROM posthorn.dead_letter WHERE consumer = 'till'"))
                .containsExactly("command refunds " + refund.id() + " 2 IllegalStateException: no account 4711");
    }

    /** With an id of its own and the same idempotency key, as a client sends it again. */
    private static Event payAgain() {
        return Event.of("billing", "pay")
                .key("account-1")
                .header(Command.IDEMPOTENCY_KEY, "invoice-17")
                .json("{\"n\":17}")
                .build();
    }
}
