package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.effect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members of one consumer with different handlers. */
@Tag("exact")
class HandoverTest {

    private static final Handlers<Connection> NONE = Handlers.none();

    private ConsumerHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private static Event event(String type, String key) {
        return Event.of("orders", type).key(key).json("{}").build();
    }

    private static List<Event> events(int each, String... types) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            for (String type : types) {
                events.add(event(type, "key-" + i % 5));
            }
        }
        return events;
    }

    private void publish(List<Event> events) {
        harness.publish(events.toArray(Event[]::new));
    }

    private void awaitEffects(int count) {
        Await.until(
                () -> harness.effects().size() + " effects, waiting "
                        + harness.rows("SELECT type, key FROM posthorn.handover"),
                () -> harness.effects().size() >= count);
    }

    private void assertOrderOfKeys(List<Event> published) {
        List<String> happened = harness.rows("SELECT event FROM effect ORDER BY n");
        for (int key = 0; key < 5; key++) {
            String name = "key-" + key;
            List<String> ofKey = published.stream()
                    .filter(event -> event.key().orElseThrow().equals(name))
                    .map(event -> event.id().toString())
                    .toList();
            assertThat(happened.stream().filter(ofKey::contains).distinct().toList())
                    .as(name)
                    .isEqualTo(ofKey);
        }
    }

    @Test
    void membersThatEachLackAHandlerOfTheOtherLoseNothing() {
        Handlers<Connection> left = NONE.on("placed", "bill", effect("bill")).on("paid", "book", effect("book"));
        Handlers<Connection> right = NONE.on("placed", "bill", effect("bill")).on("rated", "rate", effect("rate"));
        List<Event> published = events(60, "placed", "paid", "rated");
        try (Consumer<Connection> one = harness.start(config(), left);
                Consumer<Connection> other = harness.start(config(), right)) {
            publish(published);
            awaitEffects(published.size());
            assertThat(one.report().totals().handedOver()
                            + other.report().totals().handedOver())
                    .isPositive();
            Await.until(
                    "nothing waits",
                    () -> harness.rows("SELECT key FROM posthorn.handover_key").isEmpty());
        }
        assertThat(harness.effects()).hasSize(published.size()).doesNotHaveDuplicates();
        assertOrderOfKeys(published);
        assertThat(harness.letters()).isEmpty();
        assertThat(harness.rows("SELECT type FROM posthorn.unhandled_event")).isEmpty();
    }

    @Test
    void aSecondHandlerOfTheSameTypeSeesEveryEvent() {
        Handlers<Connection> before = NONE.on("placed", "bill", effect("bill"));
        List<Event> published = events(100, "placed");
        try (Consumer<Connection> old = harness.start(config(), before);
                Consumer<Connection> added = harness.start(config(), before.on("placed", "thank", effect("thank")))) {
            publish(published);
            awaitEffects(2 * published.size());
            assertThat(old.report().totals().dead() + added.report().totals().dead())
                    .isZero();
        }
        assertThat(harness.effects()).hasSize(2 * published.size()).doesNotHaveDuplicates();
    }

    @Test
    void aHandlerThatWantsMoreTypesThanBeforeSeesThem() {
        List<Event> published = events(50, "placed", "paid");
        try (Consumer<Connection> old = harness.start(config(), NONE.on("placed", "bill", effect("bill")));
                Consumer<Connection> added =
                        harness.start(config(), NONE.on(Set.of("placed", "paid"), "bill", effect("bill")))) {
            publish(published);
            awaitEffects(published.size());
            assertThat(old.report().totals().unhandled()
                            + added.report().totals().unhandled())
                    .isZero();
        }
        assertThat(harness.effects()).hasSize(published.size()).doesNotHaveDuplicates();
        assertOrderOfKeys(published);
    }

    @Test
    void aHandlerThatFailsOnWhatWasHandedOverHoldsItsKeyAndNoOther() {
        AtomicInteger calls = new AtomicInteger();
        EventHandler<Connection> failing = (event, connection) -> {
            if (event.key().orElseThrow().equals("key-0") && calls.incrementAndGet() < 3) {
                throw new IllegalStateException("on purpose");
            }
            ConsumerHarness.write("rate", event, connection);
            return Verdict.done();
        };
        Handlers<Connection> before = NONE.on("placed", "bill", effect("bill"));
        List<Event> published = events(25, "placed", "rated");
        try (Consumer<Connection> old = harness.start(config(), before);
                Consumer<Connection> added = harness.start(config(), before.on("rated", "rate", failing))) {
            publish(published);
            awaitEffects(published.size());
            Await.untilCounted(
                    2,
                    () -> old.report().totals().retried()
                            + added.report().totals().retried());
        }
        assertThat(harness.effects()).hasSize(published.size()).doesNotHaveDuplicates();
        assertOrderOfKeys(published);
        assertThat(harness.letters()).isEmpty();
    }

    @Test
    void aRedrivenLetterWaitsForTheMemberThatHasItsHandler() throws SQLException {
        Handlers<Connection> before = NONE.on("placed", "bill", effect("bill"));
        AtomicInteger calls = new AtomicInteger();
        EventHandler<Connection> rejecting = (event, connection) -> {
            if (calls.incrementAndGet() == 1) {
                return Verdict.reject("on purpose");
            }
            ConsumerHarness.write("rate", event, connection);
            return Verdict.done();
        };
        try (Consumer<Connection> old = harness.start(config(), before);
                Consumer<Connection> added = harness.start(config(), before.on("rated", "rate", rejecting))) {
            publish(List.of(event("rated", "a")));
            Await.until(
                    () -> harness.letters().toString(), () -> harness.letters().size() == 1);
            harness.postgres.run(
                    "SELECT posthorn.redrive_letters(ARRAY(SELECT id FROM posthorn.dead_letter), false, 'test')");
            awaitEffects(1);
            assertThat(old.report().trouble()).isEmpty();
            Await.untilCounted(1, () -> added.report().totals().dead());
        }
        assertThat(harness.letters()).singleElement().asString().startsWith("HANDLED rate");
    }

    @Test
    void whatWaitsForAMemberThatCrashedIsJudgedWhenItsRegistrationExpires() throws SQLException {
        Handlers<Connection> before = NONE.on("placed", "bill", effect("bill"));
        List<Event> published = List.of(event("rated", "a"), event("placed", "a"));
        try (Consumer<Connection> old = harness.start(config(), before)) {
            registerCrashed("rated");
            Await.until(
                    "it knows",
                    () -> harness.rows(
                                            "SELECT 1 FROM posthorn.consumer_registration r JOIN posthorn.consumer_registration c"
                                                    + " ON c.member = 'crashed' AND c.known <> r.known AND r.member <> 'crashed'")
                                    .size()
                            == 1);
            publish(published);
            Await.until("both wait", () -> old.report().totals().handedOver() == 2);
            assertThat(harness.effects()).isEmpty();

            harness.postgres.run("UPDATE posthorn.consumer_registration SET seen_at = seen_at - interval '31 s'"
                    + " WHERE member = 'crashed'");
            harness.postgres.run("UPDATE posthorn.handover SET stored_at = stored_at - interval '31 s'");

            awaitEffects(1);
            Await.until(
                    "nothing waits",
                    () -> harness.rows("SELECT key FROM posthorn.handover_key").isEmpty());
            Await.until(
                    "it is counted",
                    () -> harness.rows("SELECT type || ' ' || events FROM posthorn.unhandled_event")
                            .equals(List.of("rated 1")));
        }
        assertThat(harness.effects()).containsExactly("bill " + published.get(1).id());
    }

    private void registerCrashed(String type) throws SQLException {
        harness.postgres.run("SELECT FROM posthorn.register_member('billing', 'crashed', 20, '', '{rate}', '{*}', '{"
                + type + "}', '{}', '{}')");
        harness.postgres.run(
                "UPDATE posthorn.consumer_registration SET seen_at = seen_at - interval '10 s' WHERE member = 'crashed'");
    }

    @Test
    void aLargeBacklogOfOneKeyIsTakenInOrder() {
        Handlers<Connection> before = NONE.on("placed", "bill", effect("bill"));
        List<Event> published = IntStream.range(0, 300)
                .mapToObj(i -> event(i % 3 == 0 ? "rated" : "placed", "key-0"))
                .toList();
        Consumer<Connection> old = harness.start(config(), before);
        try (Consumer<Connection> added = harness.start(config(), before.on("rated", "rate", effect("rate")))) {
            publish(published);
            awaitEffects(published.size());
            old.close();
            Event last = event("rated", "key-0");
            publish(List.of(last));
            awaitEffects(published.size() + 1);
            assertThat(added.report().totals().dead()).isZero();
        }
        assertThat(harness.effects()).doesNotHaveDuplicates();
        assertOrderOfKeys(published);
    }
}
