package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a consumer does with letters that the desk sends back. */
@Tag("exact")
class RedriveToConsumerTest {

    private final AtomicBoolean closed = new AtomicBoolean(true);
    private final Handlers<Connection> handlers = Handlers.<Connection>none()
            .on("order.placed", "bill", EventHandler.of((event, connection) -> {
                if (closed.get()) {
                    throw new IllegalStateException("the ledger is closed");
                }
                ConsumerHarness.write("bill", event, connection);
            }));
    private ConsumerHarness harness;
    private PostgresDeadDesk desk;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
        desk = new PostgresDeadDesk(harness.pool, Schema.DEFAULT);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private void awaitStates(String... states) {
        Await.until(
                () -> harness.letters().toString(),
                () -> harness.rows("SELECT DISTINCT state FROM posthorn.dead_letter ORDER BY state")
                        .equals(List.of(states)));
    }

    @Test
    void aKeysLettersAreHandledInTheirOrderEachOnce() {
        Event first = event("a");
        Event second = event("a");
        Event third = event("a");
        try (Consumer<Connection> consumer = harness.start(config(), handlers)) {
            harness.publish(first, second, third);
            Await.until("all are dead", () -> consumer.report().totals().dead() == 3);
            closed.set(false);

            DeadRun run = DeadFixture.whole(desk.decide(DeadFilter.all(), DeadDecision.redrive("it is open"), 1));
            awaitStates("HANDLED");

            assertThat(run.done()).isEqualTo(3);
            assertThat(harness.effects())
                    .containsExactly("bill " + first.id(), "bill " + second.id(), "bill " + third.id());
        }
    }

    @Test
    void whatWasHandledMeanwhileHasNoEffectUnlessItIsReprocessed() throws SQLException {
        Event event = event("a");
        try (Consumer<Connection> consumer = harness.start(config(), handlers)) {
            harness.publish(event);
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
            harness.postgres.run("UPDATE posthorn.inbox SET dead = false");
            closed.set(false);

            DeadFixture.whole(desk.decide(DeadFilter.all(), DeadDecision.redrive(null), 10));
            awaitStates("HANDLED");
            assertThat(harness.effects()).isEmpty();

            harness.postgres.run("UPDATE posthorn.dead_letter SET state = 'DEAD'");
            DeadFixture.whole(desk.decide(DeadFilter.all(), DeadDecision.reprocess("the ledger was lost"), 10));
            Await.until("it has an effect", () -> harness.effects().size() == 1);
        }

        assertThat(harness.effects()).containsExactly("bill " + event.id());
    }
}
