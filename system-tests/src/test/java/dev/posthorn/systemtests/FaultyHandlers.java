package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.HandlerFault;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two consumers of one bus, one of which handles in batches, whose handlers do everything that a handler must not do: each fault to
 * an event of its own, followed by a good event of the same key.
 */
final class FaultyHandlers implements AutoCloseable {

    private static final String HANG = "HANG";
    private static final String HANG_UNTIL_INTERRUPTED = "HANG_UNTIL_INTERRUPTED";
    private static final String NULL = "NULL";
    private static final String INTERRUPT_FLAG_AFTER_EFFECT = "INTERRUPT_FLAG_AFTER_EFFECT";
    private static final String FINE = "fine";
    private static final int ATTEMPTS = 3;
    private static final int OTHERS = 20;
    private static final Duration HANDLER_TIME = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HikariDataSource pool;
    private final PatientPublisher publisher;
    private final List<Run> runs = new ArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private int published;

    FaultyHandlers(HikariDataSource pool, Bus bus) throws SQLException {
        this.pool = pool;
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            // Without a key, so that a second effect could be seen.
            statement.execute("CREATE TABLE effect (consumer text, event uuid)");
        }
        this.publisher = new PatientPublisher(bus.publisher());
        runs.add(new Run("single", ConsumerConfig.Batch.NONE, bus));
        runs.add(new Run("batch", new ConsumerConfig.Batch(10, Duration.ofMillis(50)), bus));
    }

    /** All that fails after the last attempt, with what its dead letter says. */
    private static Map<String, String> deadly() {
        Map<String, String> reasons = new ConcurrentHashMap<>();
        for (HandlerFault fault : HandlerFault.values()) {
            reasons.put(fault.name(), HandlerFault.REASON);
        }
        reasons.put(NULL, "returned null");
        reasons.put(HANG_UNTIL_INTERRUPTED, "took longer than " + HANDLER_TIME);
        return reasons;
    }

    void run() {
        Event hanging = event(HANG, HANG);
        publish(List.of(hanging, event(HANG, FINE)));
        runs.forEach(run -> Await.until(run::toString, () -> run.calls(HANG) == 1));

        List<Event> events = new ArrayList<>();
        for (String fault : deadly().keySet()) {
            events.add(event(fault, fault));
            events.add(event(fault, FINE));
        }
        for (int i = 0; i < OTHERS; i++) {
            events.add(event("key-" + i, i % 4 == 0 ? INTERRUPT_FLAG_AFTER_EFFECT : FINE));
        }
        publish(events);

        int dead = deadly().size();
        runs.forEach(run -> run.awaitEffects(OTHERS + dead, dead));
        runs.forEach(run -> run.assertHangIsReported(hanging));
        release.countDown();
        runs.forEach(run -> run.awaitEffects(OTHERS + dead + 2, dead));

        publish(List.of(event("control", FINE)));
        runs.forEach(run -> run.awaitEffects(OTHERS + dead + 3, dead));
        Await.within(PATIENCE, () -> publisher.left() + " are not accepted", () -> publisher.left() == 0);
        runs.forEach(Run::check);
    }

    private static Event event(String key, String type) {
        return Event.of("faults", type).key(key).json("{}").build();
    }

    private void publish(List<Event> events) {
        publisher.publish(events);
        published += events.size();
    }

    /** One consumer. */
    private final class Run {

        private final String name;
        private final boolean together;
        private final Consumer<Connection> consumer;
        private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

        Run(String name, ConsumerConfig.Batch batch, Bus bus) {
            this.name = name;
            this.together = batch.events() > 1;
            ConsumerConfig config = ConsumerConfig.of(Subscriber.named(name)
                            .domains("faults")
                            .concurrency(4)
                            .prefetch(100))
                    .retries(RetryPolicy.fixed(ATTEMPTS, Duration.ofMillis(50)))
                    .handlerTime(HANDLER_TIME)
                    .batch(batch.events(), batch.patience())
                    .reportEvery(Duration.ofMillis(100));
            this.consumer = Consumer.start(
                    bus,
                    config,
                    Handlers.<Connection>none().onAll("bill", this::handle),
                    PostgresInbox.equipment(pool, Schema.DEFAULT));
        }

        private Verdict handle(Event event, Connection connection) throws Exception {
            calls.computeIfAbsent(event.type(), any -> new AtomicInteger()).incrementAndGet();
            write(event, connection);
            return switch (event.type()) {
                case FINE -> Verdict.done();
                case NULL -> nothing();
                case INTERRUPT_FLAG_AFTER_EFFECT -> {
                    Thread.currentThread().interrupt();
                    yield Verdict.done();
                }
                case HANG_UNTIL_INTERRUPTED -> {
                    TimeUnit.MINUTES.sleep(10);
                    yield Verdict.done();
                }
                case HANG -> {
                    hang();
                    yield Verdict.done();
                }
                default -> HandlerFault.valueOf(event.type()).misbehave();
            };
        }

        /** Heeds no interruption. */
        private void hang() {
            boolean released = false;
            while (!released) {
                try {
                    released = release.await(1, TimeUnit.MINUTES);
                } catch (InterruptedException ignored) {
                    released = false;
                }
            }
        }

        private void write(Event event, Connection connection) throws SQLException {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO effect (consumer, event) VALUES (?, ?)")) {
                insert.setString(1, name);
                insert.setObject(2, event.id());
                insert.executeUpdate();
            }
        }

        int calls(String type) {
            AtomicInteger count = calls.get(type);
            return count == null ? 0 : count.get();
        }

        void awaitEffects(int effects, int dead) {
            Await.within(
                    PATIENCE,
                    () -> effects + " effects and " + dead + " dead letters: " + this,
                    () -> effects().size() >= effects && letters().size() >= dead);
        }

        /** Its key waits, and all who ask are told for which event. */
        void assertHangIsReported(Event hanging) {
            Await.until(
                    () -> "the hang to be reported: " + this,
                    () -> consumer.report()
                            .trouble()
                            .orElse("")
                            .contains(hanging.id().toString()));
            String stored = "SELECT trouble FROM posthorn.consumer_member WHERE consumer = '" + name + "'";
            Await.until(
                    () -> "the hang to be stored: " + rows(stored),
                    () -> rows(stored).toString().contains(hanging.id().toString()));
            assertThat(effects()).doesNotContain(hanging.id().toString());
        }

        void check() {
            assertThat(effects()).as("one effect each: %s", this).doesNotHaveDuplicates();
            assertThat(effects()).hasSize(published - deadly().size());
            Map<String, String> reasons = deadly();
            assertThat(letters()).hasSize(reasons.size());
            reasons.forEach((type, reason) -> assertThat(letters())
                    .as(type)
                    .anyMatch(letter -> letter.startsWith(type + " processing-failed " + ATTEMPTS + " ")
                            && letter.contains(reason)));
            long retried = (long) reasons.size() * (ATTEMPTS - 1) + 1; // and the one that hung
            Await.until(
                    () -> retried + " retried, and no trouble: " + this,
                    () -> consumer.report().totals().retried() == retried
                            && consumer.report().totals().dead() == reasons.size()
                            && consumer.report().trouble().isEmpty());
            if (!together) { // a batch that fails is undone, and then each of its events is handled alone
                reasons.keySet()
                        .forEach(type -> assertThat(calls(type)).as(type).isEqualTo(ATTEMPTS));
            }
        }

        private List<String> effects() {
            return rows("SELECT event FROM effect WHERE consumer = '" + name + "'");
        }

        private List<String> letters() {
            return rows("SELECT type || ' ' || cause || ' ' || attempts || ' ' || reason FROM posthorn.dead_letter"
                    + " WHERE consumer = '" + name + "'");
        }

        @Override
        public String toString() {
            return name + ": " + effects().size() + " effects, letters " + letters() + ", calls " + calls + ", "
                    + consumer.report();
        }
    }

    @SuppressWarnings("NullAway") // a handler that returns null is what this is about
    private static Verdict nothing() {
        return null;
    }

    private List<String> rows(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        release.countDown();
        runs.forEach(run -> run.consumer.close());
        publisher.close();
    }
}
