package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.NAME;
import static dev.posthorn.postgres.ConsumerHarness.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.KeyOrder;
import dev.posthorn.inbox.Positions;
import dev.posthorn.inbox.Positions.Gap;
import dev.posthorn.inbox.Positions.Policy;
import dev.posthorn.inbox.Positions.StepBack;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events of a key in the order of their own sequence. Positions are moved with the rights of a consumer. */
class PositionsTest {

    private static final HandlerId BILL = new HandlerId(NAME, "bill");
    private static final Policy SOON = Policy.STRICT.again(Duration.ofMillis(10));

    private final PostgresPositions store = new PostgresPositions(Schema.DEFAULT);
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
    void whatComesInOrderIsHandledAndThePositionMovesWithTheEffects() {
        try (Consumer<Connection> consumer = start(SOON)) {
            harness.publish(event("a", 7), event("a", 8), event("b", 1), event("a", 9));
            awaitHandled(consumer, 4);
        }

        assertThat(positions()).containsExactly("billing|bill|a|9", "billing|bill|b|1");
        assertThat(harness.effects()).hasSize(4);
    }

    @Test
    void aFailedHandlerLeavesThePositionWhereItWas() {
        EventHandler<Connection> fails = EventHandler.of((event, connection) -> {
            ConsumerHarness.write("bill", event, connection);
            if (event.sequence().orElseThrow() == 2) {
                throw new IllegalStateException("no account");
            }
        });
        try (Consumer<Connection> consumer = start(SOON, fails)) {
            harness.publish(event("a", 1), event("a", 2));
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(positions()).containsExactly("billing|bill|a|1");
        assertThat(harness.effects()).hasSize(1);
    }

    @Test
    void anEventBehindAGapWaitsHoweverFewAttemptsThereAreUntilTheMissingOneIsRedriven() {
        EventHandler<Connection> failsOnce = new EventHandler<>() {
            private boolean failed;

            @Override
            public synchronized dev.posthorn.transport.Verdict handle(Event event, Connection connection)
                    throws SQLException {
                if (event.sequence().orElseThrow() == 2 && !failed) {
                    failed = true;
                    return dev.posthorn.transport.Verdict.reject("no account");
                }
                ConsumerHarness.write(Long.toString(event.sequence().orElseThrow()), event, connection);
                return dev.posthorn.transport.Verdict.done();
            }
        };
        try (Consumer<Connection> consumer = start(SOON, failsOnce)) {
            harness.publish(event("a", 1), event("a", 2), event("a", 3));
            Await.until(
                    "it tells that it waits",
                    () -> consumer.report().trouble().orElse("").contains("sequence 2 was expected, and it has 3"));
            Await.until("it came often", () -> consumer.report().totals().retried() > 5);
            UUID letter = UUID.fromString(
                    harness.rows("SELECT id FROM posthorn.dead_letter").get(0));

            run("SELECT posthorn.redrive_letters(ARRAY['" + letter + "'::uuid], false, 'it has an account now')");

            awaitHandled(consumer, 3);
            Await.untilCounted(1, () -> consumer.report().totals().dead());
        }

        assertThat(harness.effects().stream().map(effect -> effect.substring(0, 1)))
                .containsExactly("1", "2", "3");
    }

    @Test
    void anOperatorPassesOverWhatIsMissingAndThatIsRecorded() throws SQLException {
        TestRole operator = TestRole.create(harness.postgres, Schema.DEFAULT, RoleKind.OPERATOR);
        DataSource desk = operator.dataSource();
        try (Consumer<Connection> consumer = start(SOON)) {
            harness.publish(event("a", 1), event("a", 4));
            Await.until("it waits", () -> consumer.report().totals().retried() > 1);

            assertThat(store.move(desk, BILL, "a", 3, "2 and 3 were test events"))
                    .isEqualTo(1);

            awaitHandled(consumer, 2);
        }

        assertThat(harness.rows("SELECT action, target, reason FROM posthorn.operator_action"))
                .containsExactly("move position|billing/bill a from 1 to 3|2 and 3 were test events");
        assertThatThrownBy(() -> store.move(desk, BILL, "nobody", 3, "why"))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("has no position for the key \"nobody\"");
    }

    @Test
    void aGapIsADeadLetterWhereThePolicySaysSo() {
        try (Consumer<Connection> consumer = start(SOON.gap(Gap.REJECT))) {
            harness.publish(event("a", 1), event("a", 3));
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(harness.letters())
                .singleElement()
                .asString()
                .contains("sequence-mismatch", "2 was expected", "has 3");
        assertThat(positions()).containsExactly("billing|bill|a|1");
    }

    @Test
    void aGapIsPassedOverWhereThePolicySaysSo() {
        try (Consumer<Connection> consumer = start(SOON.gap(Gap.SKIP))) {
            harness.publish(event("a", 1), event("a", 5), event("a", 6));
            awaitHandled(consumer, 3);
        }

        assertThat(positions()).containsExactly("billing|bill|a|6");
    }

    @Test
    void aStepBackIsADeadLetterOrPassedOver() {
        try (Consumer<Connection> consumer = start(SOON)) {
            harness.publish(event("a", 5), event("a", 4));
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }
        assertThat(harness.letters()).singleElement().asString().contains("6 was expected", "has 4");

        try (Consumer<Connection> consumer = start(SOON.stepBack(StepBack.SKIP))) {
            harness.publish(event("a", 5), event("a", 6));
            awaitHandled(consumer, 2);
        }

        assertThat(harness.effects()).as("5 and 6").hasSize(2);
        assertThat(positions()).containsExactly("billing|bill|a|6");
    }

    @Test
    void anEventWithoutKeyOrSequenceIsRejected() {
        try (Consumer<Connection> consumer = start(SOON)) {
            harness.publish(
                    ConsumerHarness.event("a"),
                    Event.of("orders", "order.placed").sequence(1).json("{}").build());
            Await.until("both are dead", () -> consumer.report().totals().dead() == 2);
        }

        assertThat(harness.letters())
                .anySatisfy(letter -> assertThat(letter).contains("it has no sequence"))
                .anySatisfy(letter -> assertThat(letter).contains("it has no key"));
    }

    @Test
    void whoComesSecondForAKeyWaitsForTheFirst() throws Exception {
        try (Connection first = harness.postgres.transaction();
                Connection second = harness.postgres.transaction()) {
            assertThat(store.advance(first, BILL, "a", 1, false)).isEmpty();
            CompletableFuture<OptionalLong> waiting =
                    CompletableFuture.supplyAsync(() -> store.advance(second, BILL, "a", 2, false));
            assertThatThrownBy(() -> waiting.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            first.commit();

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEmpty();
            second.commit();
        }

        assertThat(positions()).containsExactly("billing|bill|a|2");
    }

    @Test
    void routesOnWhichAKeysEventsCanOvertakeAreRefused() {
        RoutePolicy hold = RoutePolicy.standard().withAfterDead(AfterDead.HOLD);
        Set<EmitOption> serialised = Set.of(EmitOption.SERIALISED);

        assertThatThrownBy(() -> positions(PostgresPositions.keyOrder(Set.of(), RoutePolicy.standard())))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("not serialised")
                .hasMessageContaining("after-dead hold");
        assertThatThrownBy(() -> positions(PostgresPositions.keyOrder(serialised, RoutePolicy.standard())))
                .hasMessageContaining("after-dead hold")
                .hasMessageNotContaining("not serialised");
        assertThatThrownBy(() -> positions(PostgresPositions.keyOrder(Set.of(), hold)))
                .hasMessageContaining("not serialised");
        assertThatCode(() -> positions(PostgresPositions.keyOrder(serialised, hold)))
                .doesNotThrowAnyException();
    }

    private Positions<Connection> positions(KeyOrder order) {
        return new Positions<>(store, SOON, order);
    }

    private Consumer<Connection> start(Policy policy) {
        return start(policy, ConsumerHarness.effect("bill"));
    }

    /** One attempt only: whatever is charged is the end of it. */
    private Consumer<Connection> start(Policy policy, EventHandler<Connection> handler) {
        Positions<Connection> positions = new Positions<>(store, policy, KeyOrder.KEPT);
        return Consumer.start(
                harness.bus,
                config().retries(RetryPolicy.fixed(1, Duration.ofMillis(10))),
                Handlers.<Connection>none().onAll("bill", positions.inOrder(BILL, handler)),
                PostgresInbox.equipment(asConsumer(), Schema.DEFAULT));
    }

    private DataSource asConsumer() {
        try {
            TestRole role = TestRole.create(harness.postgres, Schema.DEFAULT, RoleKind.CONSUMER);
            harness.postgres.run("GRANT INSERT ON effect TO PUBLIC");
            return role.dataSource();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Event event(String key, long sequence) {
        return Event.of("orders", "order.placed")
                .key(key)
                .sequence(sequence)
                .json("{}")
                .build();
    }

    private static void awaitHandled(Consumer<Connection> consumer, long events) {
        Await.until(
                () -> events + " are handled: " + consumer.report(),
                () -> consumer.report().totals().handled() == events);
    }

    private void run(String sql) {
        List<String> unused = harness.rows(sql);
    }

    private List<String> positions() {
        return harness.rows("SELECT consumer, handler, key, sequence FROM posthorn.position ORDER BY key");
    }
}
