package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A log with a relay and a subscriber, through which ordinary events flow all the time, while a test emits others.
 *
 * <p>Each ordinary event is emitted in a transaction of its own as soon as the one before it has arrived, so that one that stops
 * anywhere stops the stream.
 */
final class ControlStream implements AutoCloseable {

    static final String DOMAIN = "control";

    private static final Duration LONGEST = Duration.ofSeconds(15);

    final RelayHarness harness = new RelayHarness();
    private final MemoryTransport bus = MemoryTransport.builder().build();
    private final Map<UUID, Event> arrived = new ConcurrentHashMap<>();
    private final List<Event> emitted = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::flow, "control-stream");
    private long longest;
    private volatile boolean ended;

    ControlStream() {
        bus.subscribe(Subscriber.named("far"), new Inbound(delivery -> {
            arrived.put(delivery.event().id(), delivery.event());
            return dev.posthorn.transport.Verdict.done();
        }));
        harness.startRelay("r1", bus.publisher());
        thread.start();
    }

    private void flow() {
        try {
            while (!ended) {
                Event event = Event.of(DOMAIN, "Ticked")
                        .key("k" + emitted.size() % 50)
                        .json("{\"n\":" + emitted.size() + "}")
                        .build();
                long since = System.nanoTime();
                harness.emit(event);
                emitted.add(event);
                await(event.id());
                longest = Math.max(longest, System.nanoTime() - since);
            }
        } catch (Throwable stopped) { // told by the test
            failures.add(stopped);
        }
    }

    /** What a subscriber has got of this event, waiting for it. */
    Event await(UUID id) {
        Await.within(LONGEST, () -> "event " + id + " to arrive", () -> arrived.containsKey(id));
        return Objects.requireNonNull(arrived.get(id));
    }

    Optional<Event> arrivedNow(UUID id) {
        return Optional.ofNullable(arrived.get(id));
    }

    /** Something in a transaction of its own; what refused it, or null if it was committed. */
    @Nullable
    Exception tried(Work work) {
        try (Connection connection = harness.postgres.transaction()) {
            try {
                work.run(connection);
                connection.commit();
                return null;
            } catch (SQLException | RuntimeException refused) {
                connection.rollback();
                return refused;
            }
        } catch (SQLException broken) {
            throw new IllegalStateException(broken);
        }
    }

    interface Work {
        void run(Connection connection) throws SQLException;
    }

    /** Ends the stream; holds that it never stopped, and that nothing is left in the log. */
    void endsWell(int atLeast) throws InterruptedException {
        ended = true;
        thread.join(LONGEST.multipliedBy(2).toMillis());
        assertThat(failures).as("what stopped the ordinary events").isEmpty();
        assertThat(emitted).as("ordinary events").hasSizeGreaterThan(atLeast);
        assertThat(emitted)
                .allSatisfy(event -> assertThat(arrived.get(event.id())).isEqualTo(event));
        Await.until(
                "everything to be sent",
                () -> harness.rows("SELECT count(*) FROM posthorn.outbox_status WHERE state <> 'SENT'")
                        .equals(List.of("0")));
        System.out.println("control stream: " + emitted.size() + " events, the slowest took "
                + TimeUnit.NANOSECONDS.toMillis(longest) + " ms");
    }

    @Override
    public void close() {
        ended = true;
        harness.close();
        bus.close();
    }
}
