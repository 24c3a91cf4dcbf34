package dev.posthorn.relay;

import dev.posthorn.transport.Publisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Publishes one route's events from the log to a transport, in order per key, shared fairly with the other relays of
 * that route.
 *
 * <p>Five threads, each a {@link Loop} around one step: leases, two readers, answers, flush. Thread-safe.
 */
public final class Relay implements AutoCloseable {

    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(10);
    private static final int READERS = 2;
    private static final Duration NOTHING_TO_SHARE = Duration.ofSeconds(1);
    private static final Duration LEASE_LOOK = Duration.ofMillis(250);
    private static final Duration ANSWER_LOOK = Duration.ofSeconds(1);
    private static final String OUTAGE = "outage";
    private static final Duration FOR_EVER = Duration.ofDays(3_650);

    /**
     * The ports that a relay needs; all of one route.
     *
     * @param route the route's name
     * @param relay the relay's name, unique among the relays of the route
     */
    public record Stores(String route, String relay, Log log, CheckpointStore checkpoints, LeaseStore leases) {}

    private final String name;
    private final RelayLog log;
    private final RelayState state;
    private final List<Reader> readers = new ArrayList<>();
    private final FlushStep flush;
    private final LeaseStep lease;
    private final Publisher publisher;
    private final @Nullable HandlingStep handling;
    private final Loop leaseLoop;
    private final Loop answerLoop;
    private final Loop flushLoop;
    /** Why the leases could not be looked after, if so. */
    private volatile @Nullable String databaseTrouble;

    private volatile boolean ended;

    private Relay(Stores stores, PublishTarget target, RelayConfig config, RoutePolicy policy) {
        this.name = stores.relay();
        this.log = new RelayLog(stores.route(), name);
        Answers answers = new Answers(this::wakeAnswers);
        Workshop shop = new Workshop(
                config,
                policy,
                stores.log().filter(),
                new SendQueue(config, answers, MemoryBudget.ofProcess().open(this::wakeForMemory)),
                new Counters(),
                System::nanoTime,
                RandomGenerator.getDefault(),
                Set.of());
        this.publisher = target.publisher(this::wakeFlush);
        this.state = new RelayState(shop, answers, publisher, log);
        for (int i = 0; i < READERS; i++) {
            readers.add(new Reader(i, stores));
        }
        this.flush = new FlushStep(state, stores);
        this.lease = new LeaseStep(state, stores.leases(), name);
        this.handling = target.handling(state, publisher, name);
        state.splitsReads = handling != null;
        this.leaseLoop = loop("lease", this::leaseTurn);
        this.answerLoop = loop("answer", this::answerTurn);
        this.flushLoop = loop("flush", this::flushTurn);
    }

    private Loop loop(String work, Loop.Step step) {
        return new Loop("posthorn-" + work + "-" + name, step, log.steps());
    }

    /**
     * Starts a relay, named as its stores say. The publisher is closed with it.
     */
    public static Relay start(Stores stores, Publisher publisher, RelayConfig config, RoutePolicy policy) {
        return start(stores, new PublishTarget.ToTransport(publisher), config, policy);
    }

    /**
     * Starts a relay that hands its events to a handler, one at a time, within the transaction that writes the checkpoint:
     * what the handler did and how far the route has come are committed together or not at all.
     *
     * <p>The time-out of publishing does not count here: a handler may take its time.
     */
    public static <T> Relay startHandling(
            RouteStores.Opened<T> opened, Handler<T> handler, RelayConfig config, RoutePolicy policy) {
        RelayConfig patient = config.withPublishTimeout(FOR_EVER)
                .withFlush(new RelayConfig.FlushPace(
                        config.flush().every(), config.flush().events(), FOR_EVER));
        return start(opened.stores(), new PublishTarget.ToHandler<>(opened.handling(), handler), patient, policy);
    }

    private static Relay start(Stores stores, PublishTarget target, RelayConfig config, RoutePolicy policy) {
        Relay relay = new Relay(stores, target, config, policy);
        relay.leaseLoop.start();
        relay.readers.forEach(reader -> reader.loop.start());
        relay.answerLoop.start();
        relay.flushLoop.start();
        relay.log.info("The relay started");
        return relay;
    }

    /** Says that something was committed: the relay looks at once instead of at its next poll. Cheap; never blocks. */
    public void wakeUp() {
        wakeReaders();
    }

    public RelayStatus status() {
        return state.locked(() -> {
            Counters counters = state.shop().counters();
            return new RelayStatus(
                    state.trustedLanes(System.nanoTime()),
                    new RelayStatus.Totals(
                            counters.published,
                            counters.failedAttempts,
                            counters.dead,
                            counters.reads,
                            counters.flushes,
                            counters.reloads),
                    state.lanes().stream().mapToInt(lane -> lane.heldEvents).sum(),
                    state.shop().sendQueue().inFlight(),
                    state.lanes().stream().mapToInt(lane -> lane.blocked.size()).sum(),
                    Optional.ofNullable(trouble()),
                    obstacle());
        });
    }

    /**
     * How long one of its threads has been at one turn, or late for the next; the longest of all. A turn waits for the
     * database at most for its time-out, and for a transport never: minutes mean that only a restart helps.
     */
    public Duration overdue() {
        return loops().map(Loop::overdue).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    private Stream<Loop> loops() {
        return Stream.concat(readers.stream().map(reader -> reader.loop), Stream.of(leaseLoop, answerLoop, flushLoop));
    }

    /**
     * Whether the relay has ended without being closed, because its route is retired. It holds no lanes and does nothing
     * any more. It still has to be closed.
     */
    public boolean hasEnded() {
        return ended;
    }

    private RelayStatus.Obstacle obstacle() {
        return databaseTrouble != null && !state.retired ? RelayStatus.Obstacle.DATABASE : state.obstacle();
    }

    private @Nullable String trouble() {
        if (state.retired) {
            return "the route is retired";
        }
        if (databaseTrouble != null) {
            return databaseTrouble;
        }
        if (state.isPaused()) {
            return "the route is paused";
        }
        return state.outage();
    }

    private void wakeForMemory() {
        wakeReaders();
        flushLoop.wake();
    }

    private void wakeFlush() {
        flushLoop.wake();
    }

    private void wakeAnswers() {
        answerLoop.wake();
    }

    /** An outage that begins and ends between two looks is not logged. */
    private void logOutage() {
        @Nullable String outage = state.locked(state::outage);
        if (outage == null) {
            log.publishing().recovered(OUTAGE);
        } else {
            log.publishing().lasting(OUTAGE, outage);
        }
    }

    private Duration leaseTurn() {
        log.flush(System.nanoTime());
        logOutage();
        try {
            if (lease.runOnce()) {
                wakeReaders();
            }
            databaseTrouble = null;
            if (lease.hasLeft()) {
                end();
            }
            return LEASE_LOOK;
        } catch (Throwable unreachable) {
            databaseTrouble = Thrown.describe(unreachable);
            throw unreachable;
        }
    }

    private void end() {
        log.warn("The relay ends: its route is retired");
        loops().forEach(Loop::stop);
        ended = true;
    }

    private void wakeReaders() {
        readers.forEach(reader -> reader.loop.wake());
    }

    /** Reads on a thread of its own. */
    private final class Reader {

        private final int number;
        private final ReadStep step;
        private final Pacing pacing;
        private final Loop loop;

        Reader(int number, Stores stores) {
            this.number = number;
            this.step = new ReadStep(state, stores, number, READERS);
            this.pacing = new Pacing(state.shop().config().idlePoll(), System.nanoTime());
            this.loop = loop("read-" + number, this::turn);
        }

        private Duration turn() {
            boolean alone = !hasBacklog();
            if (number > 0 && alone) {
                return NOTHING_TO_SHARE;
            }
            int rows = step.runOnce();
            if (rows > 0) {
                flushLoop.wake();
            }
            if (alone && hasBacklog()) {
                wakeReaders();
            }
            return pacing.after(rows, state.shop().config().page(), System.nanoTime());
        }

        private boolean hasBacklog() {
            return state.locked(() -> state.backlog);
        }
    }

    private Duration answerTurn() {
        int answers = state.settleAnswers();
        return state.locked(() -> {
            if (state.wantsFlush()) {
                flushLoop.wake();
            }
            if (state.shop().sendQueue().wantsPayloads()) {
                wakeReaders();
            }
            if (answers > 0) {
                return Duration.ZERO;
            }
            Long wake = state.shop().sendQueue().nextWake(System.nanoTime());
            Duration left = wake == null ? ANSWER_LOOK : Nanos.until(wake, System.nanoTime());
            // Timers that other threads set meanwhile are found then, however far away the next one seemed.
            return left.compareTo(ANSWER_LOOK) < 0 ? left : ANSWER_LOOK;
        });
    }

    private Duration flushTurn() {
        try {
            boolean handled = handling != null && handling.runOnce();
            if (handled) {
                wakeAnswers();
            }
            if (flush.runOnce() || handled) {
                wakeReaders();
            }
        } finally {
            if (state.locked(() -> state.renewSoon)) {
                leaseLoop.wake();
            }
        }
        if (handling != null && handling.hasWork()) {
            return Duration.ZERO;
        }
        boolean waiting = state.locked(() -> state.hasUnflushed());
        return waiting ? Nanos.until(flush.dueAt(), System.nanoTime()) : Duration.ofMillis(500);
    }

    /** Stops reading, waits for what is under way, writes the last checkpoints and gives the lanes back. */
    @Override
    public void close() {
        close(LONGEST_DRAIN);
    }

    /**
     * The same, waiting so long for what is under way. What a handler in the database's own transaction has not done by
     * then is rolled back and comes again.
     */
    public void close(Duration longestDrain) {
        boolean interrupted = Thread.interrupted(); // or it would not get a connection for its last flush
        try {
            stop(System.nanoTime() + longestDrain.toNanos());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whatever fails on the way, what comes after it is done. */
    private void stop(long end) {
        attempt("drain", () -> drain(end));
        readers.forEach(reader -> reader.loop.close());
        leaseLoop.close();
        flushLoop.close(handling == null ? Loop.LONGEST_TURN : Nanos.until(end, System.nanoTime()));
        if (handling == null && !ended) {
            attempt("write its last checkpoints", flush::flushLast);
        }
        if (!ended) {
            attempt("give its lanes back", lease::leave);
        }
        answerLoop.close();
        attempt("close its publisher", publisher::close);
        state.shop().sendQueue().memory.close();
        log.info("The relay stopped");
    }

    private void attempt(String what, Runnable work) {
        try {
            work.run();
        } catch (Throwable failed) {
            log.warn("The relay could not " + what + " and stops anyway: " + Thrown.describe(failed));
        }
    }

    private void drain(long end) {
        state.locked(() -> {
            state.stopping = true;
            state.lanes().forEach(lane -> lane.drain(true));
        });
        if (handling != null) {
            publisher.close();
        }
        awaitDrained(end);
    }

    /** During an outage or a pause, what is queued can not be published; it is left to the next relay. */
    private boolean isDrainedAsFarAsPossible() {
        boolean outage = state.shop().sendQueue().isHeldUp()
                || state.shop().sendQueue().breaker.isOpen();
        return state.lanes().stream().allMatch(lane -> lane.isDrained() || (outage && lane.inFlight == 0));
    }

    private void awaitDrained(long end) {
        while (System.nanoTime() - end < 0) {
            if (state.locked(() -> isDrainedAsFarAsPossible())) {
                return;
            }
            flushLoop.wake();
            answerLoop.wake();
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }
}
