package dev.posthorn.demo;

import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transports.memory.MemorySubscription;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** One run: producers, a relay, a consumer, and the verdict. */
final class Demo {

    /** Relay, consumer's writer and audit; each producer needs one more. */
    private static final int CONNECTIONS_BESIDE_PRODUCERS = 6;

    private static final Duration RETRY_BASE = Duration.ofMillis(25);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);
    private static final int MOST_ATTEMPTS = 20;
    /** A demo that was killed keeps its lanes for so long, and the next one on the same database waits. */
    private static final Duration LEASE_TTL = Duration.ofSeconds(5);

    private final DemoOptions options;
    private final long seed;
    private final Goal goal;
    private final Display display;
    private final UnaryOperator<Publisher> wrapper;

    Demo(DemoOptions options, long seed, Goal goal, Display display, UnaryOperator<Publisher> wrapper) {
        this.options = options;
        this.seed = seed;
        this.goal = goal;
        this.display = display;
        this.wrapper = wrapper;
    }

    Verdict run() throws SQLException {
        if (options.noConsole) {
            return run(Optional.empty());
        }
        try (DemoConsole console = new DemoConsole(options.consolePort)) {
            display.note("console at " + console.address());
            return run(Optional.of(console));
        }
    }

    private Verdict run(Optional<DemoConsole> console) throws SQLException {
        try (DemoDatabase database = openDatabase()) {
            try (Connection connection = database.pool().getConnection()) {
                Bank.open(connection, options.accounts);
            }
            display.note("opened " + Numbers.count(options.accounts) + " accounts");
            String run = "demo-" + UUID.randomUUID();
            Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
            console.ifPresent(it -> it.look(database.pool()));
            return run(database, new Bank(outbox, run), run, console);
        }
    }

    private DemoDatabase openDatabase() {
        int connections = options.producers + CONNECTIONS_BESIDE_PRODUCERS + DemoConsole.CONNECTIONS;
        if (options.databaseUrl == null) {
            display.note("starting Postgres ...");
            return DemoDatabase.embedded(connections);
        }
        display.note("connecting to your Postgres; uses the schema posthorn, makes posthorn_demo anew ...");
        return DemoDatabase.at(options.databaseUrl, connections);
    }

    private Verdict run(DemoDatabase database, Bank bank, String run, Optional<DemoConsole> console)
            throws SQLException {
        LagMeter lag = new LagMeter();
        Arrivals arrivals = new Arrivals(database.pool(), event -> database.isEmbedded() || bank.emitted(event), lag);
        try (MemoryTransport transport = MemoryTransport.builder().build();
                MemorySubscription subscription = transport.subscribe("demo", arrivals)) {
            FaultyPublisher publisher = new FaultyPublisher(wrapper.apply(transport.publisher()), faults());
            try (Relay relay = startRelay(database, publisher, run)) {
                console.ifPresent(it -> it.watch(relay));
                Workplace.Meters meters = new Workplace.Meters(new Tally(), lag);
                Workplace workplace = new Workplace(
                        database.pool(), bank, options.accounts, goal, new Pace(options.rate), meters, relay::wakeUp);
                Gauges gauges = new Gauges(
                        setting(database, console), goal, meters, new Gauges.Sources(arrivals, relay, publisher));
                Course course = new Course(display, gauges, arrivals);
                course.produce(producers(workplace));
                course.drain(new Drain(relay, subscription, arrivals, lag, options.patience));
                return verdict(database, arrivals, lag, course.seconds());
            }
        }
    }

    private Relay startRelay(DemoDatabase database, Publisher publisher, String name) {
        return Relay.start(
                PostgresRelayStores.open(
                        database.pool(),
                        Schema.DEFAULT,
                        Route.named(DemoDatabase.ROUTE).fromBeginning(),
                        name),
                publisher,
                RelayConfig.standard().withLeaseTtl(LEASE_TTL),
                RoutePolicy.standard()
                        .withRetry(RetryPolicy.exponential(MOST_ATTEMPTS, RETRY_BASE, LONGEST_RETRY, 0.2)));
    }

    private List<Runnable> producers(Workplace workplace) {
        Mischief mischief = new Mischief(options.rollbacks, options.savepoints, options.lateCommits);
        List<Runnable> producers = new ArrayList<>();
        for (int i = 0; i < options.producers; i++) {
            producers.add(new Producer(workplace, mischief, seed + i));
        }
        goal.start();
        return producers;
    }

    private Faults faults() {
        return new Faults(
                options.failRate, options.refuseRate, options.lostAnswers, options.outage, options.outageEvery, seed);
    }

    private Frame.Setting setting(DemoDatabase database, Optional<DemoConsole> console) {
        return new Frame.Setting(
                database.describe(),
                console.map(DemoConsole::address).orElse(""),
                goal.toString(),
                options.producers,
                options.accounts,
                seed);
    }

    private Verdict verdict(DemoDatabase database, Arrivals arrivals, LagMeter lag, double seconds)
            throws SQLException {
        arrivals.write();
        try (Connection connection = database.pool().getConnection()) {
            Findings findings = Auditor.audit(connection);
            return new Verdict(findings, lag.overall(), findings.published() / seconds, seed);
        }
    }
}
