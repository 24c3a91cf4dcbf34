package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.effect;
import static dev.posthorn.postgres.ConsumerHarness.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replays that go straight to a consumer. */
@Tag("exact")
class ConsumerReplayTest {

    private static final Handlers<Connection> BILL =
            Handlers.<Connection>none().on("order.placed", "bill", effect("bill"));

    private ConsumerHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aReplayIsHandledOnceMoreAndOnceForEachReplay() {
        Event event = event("a");
        Event replayed = Event.of("orders", "order.placed")
                .id(event.id())
                .key("a")
                .header("replay", "monday")
                .json("{}")
                .build();

        try (Consumer<Connection> consumer = harness.start(config(), BILL);
                PatientPublisher replay = new PatientPublisher(consumer.replays())) {
            harness.publish(event);
            Await.until("it is handled", () -> consumer.report().totals().handled() == 1);
            replay.publish(List.of(replayed, replayed));
            Await.until("both are accepted", () -> replay.left() == 0);
        }

        assertThat(harness.effects()).containsExactly("bill " + event.id(), "bill " + event.id());
    }

    @Test
    void aReplayOfTheLogGoesStraightToTheConsumerOnceForEachReplay() throws SQLException {
        try (Connection connection = harness.postgres.transaction()) {
            new PostgresOutbox(PostgresOutboxConfig.DEFAULT)
                    .emit(
                            connection,
                            event("a"),
                            event("b"),
                            Event.of("orders", "order.shipped").key("a").build());
            connection.commit();
        }
        PostgresReplayDesk desk = new PostgresReplayDesk(harness.pool, Schema.DEFAULT);

        try (Consumer<Connection> consumer = harness.start(config(), BILL);
                ReplayLoop replays = ReplayLoop.of(consumer, harness.pool, Schema.DEFAULT)) {
            for (int round = 1; round <= 2; round++) {
                Replay replay = desk.start(Replay.Request.into(Target.consumer(ConsumerHarness.NAME))
                        .selecting(Selection.ALL.withTypes(Set.of("order.placed")))
                        .because("the projection is built anew"));
                Await.until("it is done", () -> desk.find(replay.id()).state() == Replay.State.DONE);
            }
            assertThat(replays).isNotNull();
        }

        assertThat(harness.rows("SELECT count(*), count(DISTINCT event) FROM effect"))
                .containsExactly("4|2");
    }
}
