package dev.posthorn.testkit.users;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Bus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * What a test sees and does of Posthorn, whoever runs the relay: what was published and handled, what shall fail, what time it
 * is. {@link PosthornExtension} makes one for each test. Thread-safe.
 */
public final class PosthornBench implements AutoCloseable {

    /** Who publishes. Both do nothing if nobody does at that time. */
    public interface Relays {

        void stop();

        void start();
    }

    private final Relays relays;
    private final Faults faults = new Faults();
    private final TestClock clock;
    private final Owed owed;
    private final TestBus bus;
    private final LogTime log;

    PosthornBench(DataSource database, Schema schema, Relays relays, int scale) {
        this.relays = relays;
        Instant now = Instant.now();
        this.clock = new TestClock(now, this::advanced);
        this.owed = new Owed(now);
        this.bus = new TestBus(faults, owed);
        this.log = new LogTime(database, schema, scale);
    }

    /**
     * Over the log in this database. The data source stays the caller's.
     *
     * <p>Publishes that wait to be tried again do so by the relay's own policy, so there the time that the test takes counts too.
     */
    public static PosthornBench over(DataSource database, Schema schema, Relays relays) {
        return new PosthornBench(database, schema, relays, 1);
    }

    /** A memory transport that is watched: relays publish to it, consumers receive from it. */
    public Bus transport() {
        return bus;
    }

    /** Has the test's failures happen in this handler. */
    public <T> EventHandler<T> around(EventHandler<T> handler) {
        return faults.around(handler);
    }

    /** Stands still; what waits for a time goes by it. */
    public TestClock clock() {
        return clock;
    }

    /** Has the nth publish from now on fail, 1 for the next one. The event is tried again by the route's policy. */
    public void failPublish(int... numbers) {
        faults.failPublish(numbers);
    }

    /** Has the nth call of a handler from now on throw, 1 for the next one. The event is tried again by the consumer's policy. */
    public void failHandling(int... numbers) {
        faults.failHandling(numbers);
    }

    /**
     * Waits until all that can be published and handled at this time is, with all that follows from it. Fails after 30 seconds.
     */
    public void settle() {
        Await.until(
                () -> "everything to be published and handled, but " + log.unsettled() + " events of the log are not"
                        + (owed.isQuiet() ? "" : " and consumers have work"),
                this::isSettled);
    }

    /** Nothing may happen between the two looks at the consumers, or it could have led to new events. */
    private boolean isSettled() {
        long before = owed.changes();
        return owed.isQuiet()
                && log.unsettled() == 0
                && log.schedule(clock.passed()) == 0
                && owed.isQuiet()
                && owed.changes() == before;
    }

    /** What was published, in order. */
    public EventsAssert published() {
        return new EventsAssert(bus.accepted(), "published events");
    }

    /** What this consumer has handled and committed, in order. */
    public EventsAssert handledBy(String consumer) {
        List<UUID> handled = log.handledBy(consumer);
        List<Event> events = handled.stream()
                .flatMap(id -> bus.accepted().stream()
                        .filter(event -> event.id().equals(id))
                        .limit(1))
                .toList();
        return new EventsAssert(events, "events handled by " + consumer);
    }

    /** Forgets what was published and handled so far, for tests that share an application. */
    public void forget() {
        bus.forget();
    }

    private void advanced(Duration by) {
        relays.stop();
        log.schedule(clock.passed().minus(by));
        log.advance(by);
        owed.advanced(by);
        relays.start();
    }

    @Override
    public void close() {
        bus.close();
    }
}
