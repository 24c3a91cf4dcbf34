package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.effect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.Unhandled;
import dev.posthorn.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that no handler of any member wants. */
@Tag("exact")
class UnhandledTest {

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

    private static Event of(String type) {
        return Event.of("orders", type).key("a").json("{}").build();
    }

    private List<String> counted() {
        return harness.rows(
                "SELECT consumer || ' ' || type || ' ' || events FROM posthorn.unhandled_event ORDER BY type");
    }

    private static ConsumerConfig mode(boolean batches) {
        return batches ? config().batch(10, Duration.ofMillis(20)) : config();
    }

    @ParameterizedTest(name = "batches: {0}")
    @ValueSource(booleans = {false, true})
    void areCountedByTypeAndIgnored(boolean batches) {
        try (Consumer<Connection> consumer = harness.start(mode(batches), BILL)) {
            harness.publish(of("order.rated"), of("order.seen"), of("order.rated"), of("order.placed"));
            Await.until(
                    () -> counted().toString(),
                    () -> counted().equals(List.of("billing order.rated 2", "billing order.seen 1")));
            Await.untilCounted(3, () -> consumer.report().totals().unhandled());
            Await.until(
                    "the one behind them is handled", () -> harness.effects().size() == 1);
        }
        try (Consumer<Connection> another = harness.start(mode(batches), BILL)) {
            harness.publish(of("order.seen"));
            Await.until(
                    () -> counted().toString(),
                    () -> counted().equals(List.of("billing order.rated 2", "billing order.seen 2")));
            assertThat(another.report().totals().dead()).isZero();
        }
        assertThat(harness.letters()).isEmpty();
    }

    @Test
    void areShownToOperatorsByTheDoctorAndInTheFigures() {
        try (Consumer<Connection> consumer = harness.start(config(), BILL)) {
            harness.publish(of("order.rated"), of("order.rated"));
            Await.until(() -> consumer.report().toString(), () -> counted().equals(List.of("billing order.rated 2")));

            assertThat(new PostgresConsumerDesk(harness.pool, Schema.DEFAULT).list())
                    .singleElement()
                    .satisfies(status -> {
                        assertThat(status.handedOver()).isZero();
                        assertThat(status.unhandled()).singleElement().satisfies(type -> {
                            assertThat(type.type()).isEqualTo("order.rated");
                            assertThat(type.events()).isEqualTo(2);
                        });
                    });
            assertThat(new PostgresFigures(harness.pool, Schema.DEFAULT).unhandled())
                    .containsExactly(new PostgresFigures.UnhandledFigures("billing", "order.rated", 2));
            assertThat(new PostgresDoctor(harness.pool, Schema.DEFAULT).examine())
                    .filteredOn(finding -> finding.check().equals("unhandled"))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.found())
                            .startsWith("consumer billing: no handler wanted 2 events of type order.rated"));
        }
    }

    @ParameterizedTest(name = "batches: {0}")
    @ValueSource(booleans = {false, true})
    void areDeadAtOnceWhereThatIsWantedAndRedrivenToAHandlerLater(boolean batches) throws SQLException {
        Event rated = of("order.rated");
        try (Consumer<Connection> consumer = harness.start(mode(batches).unhandled(Unhandled.DEAD_LETTER), BILL)) {
            harness.publish(rated);
            Await.until("it is dead", () -> harness.letters().size() == 1);
            Await.untilCounted(1, () -> consumer.report().totals().dead());
        }
        assertThat(harness.letters())
                .containsExactly(
                        "DEAD  rejected 1 no handler of consumer \"billing\" wants events of type \"order.rated\"");

        harness.postgres.run(
                "SELECT posthorn.redrive_letters(ARRAY(SELECT id FROM posthorn.dead_letter), false, 'there is a handler now')");
        try (Consumer<Connection> later = harness.start(config(), BILL.on("order.rated", "rate", effect("rate")))) {
            Await.until(() -> later.report().toString(), () -> harness.effects().equals(List.of("rate " + rated.id())));
        }
    }

    @Test
    void areTriedAgainWhereThatIsWantedAndDeadAfterTheLastAttempt() {
        try (Consumer<Connection> consumer = harness.start(config().unhandled(Unhandled.RETRY), BILL)) {
            harness.publish(of("order.rated"), of("order.placed"));
            Await.until("it is dead", () -> harness.letters().size() == 1);
            Await.until("the one behind it is handled", () -> harness.effects().size() == 1);
            Await.untilCounted(2, () -> consumer.report().totals().retried());
            Await.untilCounted(1, () -> consumer.report().totals().unhandled());
        }
        assertThat(harness.letters()).singleElement().asString().startsWith("DEAD  processing-failed 3 no handler");
    }

    @Test
    void nothingIsAcknowledgedBeforeTheOtherMembersAreKnown() throws SQLException {
        harness.postgres.run("ALTER FUNCTION posthorn.register_member RENAME TO out_of_reach");
        try (Consumer<Connection> consumer = harness.start(config(), BILL)) {
            harness.publish(
                    of("order.rated"),
                    Event.of("orders", "order.placed").key("b").json("{}").build());
            Await.until("the other key is handled", () -> harness.effects().size() == 1);
            assertThat(consumer.report().totals().unhandled()).isZero();

            harness.postgres.run("ALTER FUNCTION posthorn.out_of_reach RENAME TO register_member");
            Await.until(() -> counted().toString(), () -> counted().equals(List.of("billing order.rated 1")));
        }
    }
}
