package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.relay.Log;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Up to four relays of one route; with each turn one comes or goes, and if they may crash: dies, stops or wakes up again. */
final class RelaysComingAndGoing implements AutoCloseable {

    private record Living(Relay relay, Lifeline lifeline) {}

    private static final RelayConfig CONFIG = RelayConfig.standard()
            .withPage(32)
            .withLane(new RelayConfig.LaneLimit(64, 1 << 20))
            .withFlush(new RelayConfig.FlushPace(Duration.ofMillis(20), 200, Duration.ofMillis(300)));
    private static final RoutePolicy POLICY =
            RoutePolicy.standard().withRetry(RetryPolicy.fixed(1_000, Duration.ofMillis(10)));
    private static final int MOST = 4;
    private static final int MOST_FROZEN = 3;

    private final HikariDataSource pool;
    private final Random random;
    private final UnaryOperator<Log> log;
    private final RelayConfig config;
    private final boolean mayCrash;
    private final List<Event> arrived = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final RecordingTransport transport = RecordingTransport.answering(this::answer);
    private final List<Living> living = new ArrayList<>();
    private final List<Living> frozen = new ArrayList<>();
    private final List<Living> all = new ArrayList<>();
    /** Ends the threads of relays that are cut off, which are as dead as can be for everybody else. */
    private final ExecutorService ending = Executors.newCachedThreadPool();

    private int crashes;

    private RelaysComingAndGoing(HikariDataSource pool, Random random, UnaryOperator<Log> log, boolean mayCrash) {
        this.pool = pool;
        this.random = random;
        this.log = log;
        this.mayCrash = mayCrash;
        this.config = CONFIG.withLeaseTtl(Duration.ofSeconds(mayCrash ? 1 : 6));
    }

    static RelaysComingAndGoing crashing(HikariDataSource pool, Random random) {
        return new RelaysComingAndGoing(pool, random, UnaryOperator.identity(), true);
    }

    /** None dies, and no answer is lost; events may fail. */
    static RelaysComingAndGoing orderly(HikariDataSource pool, Random random) {
        return new RelaysComingAndGoing(pool, random, UnaryOperator.identity(), false);
    }

    /** For a log that is broken on purpose. */
    static RelaysComingAndGoing reading(UnaryOperator<Log> log, HikariDataSource pool) {
        return new RelaysComingAndGoing(pool, new Random(1), log, true);
    }

    /** Every event that was accepted, in the order of arrival. */
    List<Event> arrived() {
        synchronized (arrived) {
            return List.copyOf(arrived);
        }
    }

    void turn() {
        int what = random.nextInt(mayCrash ? 10 : 6);
        if (living.isEmpty() || (what < 4 && living.size() < MOST)) {
            start();
        } else if (what < 6) {
            take(living).relay().close();
        } else if (what < 8) {
            Living dead = take(living);
            dead.lifeline().cut();
            ending.execute(dead.relay()::close);
            crashes++;
        } else if (what == 8 && frozen.size() < MOST_FROZEN) {
            Living stopped = take(living);
            stopped.lifeline().freeze();
            frozen.add(stopped);
            crashes++;
        } else if (!frozen.isEmpty()) {
            Living woken = take(frozen);
            woken.lifeline().thaw();
            living.add(woken);
        }
    }

    void start() {
        String name = "r" + (all.size() + 1);
        Lifeline lifeline = new Lifeline();
        Relay.Stores stores = PostgresRelayStores.open(
                pool, Schema.DEFAULT, Route.named("main").fromBeginning(), name);
        Relay.Stores broken = new Relay.Stores(
                stores.route(), stores.relay(), log.apply(stores.log()), stores.checkpoints(), stores.leases());
        Relay relay = Relay.start(lifeline.around(broken), lifeline.around(transport.publisher()), config, POLICY);
        Living one = new Living(relay, lifeline);
        living.add(one);
        all.add(one);
    }

    /** One relay at least is left to finish the work, and those that were stopped go on beside it. */
    void settle() {
        frozen.forEach(one -> one.lifeline().thaw());
        if (living.isEmpty()) {
            start();
        }
    }

    /** What was read and not checkpointed when a lane was given up, by crash or otherwise, may arrive again. */
    int duplicatesAllowed() {
        long reloads = all.stream()
                .mapToLong(one -> one.relay().status().totals().reloads())
                .sum();
        long lanes = reloads + (long) crashes * Migrations.DEFAULT_LANES;
        return Math.toIntExact(lanes * CONFIG.lane().events() + unknown.get());
    }

    @Override
    public String toString() {
        return all.size() + " relays, " + crashes + " crashed or stopped";
    }

    private Living take(List<Living> from) {
        return from.remove(random.nextInt(from.size()));
    }

    /** One in twenty fails; where relays crash, one in a hundred arrives without a word. */
    private Outcome answer(Event event, int attempt) {
        int n = answers.incrementAndGet();
        if (n % 20 == 7) {
            return Outcome.failed("failed by the test");
        }
        arrived.add(event);
        if (mayCrash && n % 100 == 23) {
            unknown.incrementAndGet();
            return Outcome.unknown("answer lost by the test");
        }
        return Outcome.accepted();
    }

    @Override
    public void close() {
        if (mayCrash) {
            all.forEach(one -> one.lifeline().cut());
        }
        ending.shutdown();
        all.forEach(one -> one.relay().close());
    }
}
