package dev.posthorn.testkit.users;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A database, an outbox, a relay and a transport for each test of a class, on one real Postgres server for all.
 *
 * <p>Unless {@link #running} was asked for, nothing is published before {@link #runOnce}, so a test decides when.
 */
public final class PosthornExtension implements BeforeEachCallback, AfterEachCallback, PosthornBench.Relays {

    private static final String ROUTE = "main";
    private static final String RELAY = "test";
    private static final int LANES = 4;
    /** Of all random numbers, so that jitter makes a pause neither longer nor shorter. */
    private static final long MIDDLE = 1L << 63;
    /** Real time counts for so little. */
    private static final int SCALE = 1_000;

    private static final RelayConfig PACE = RelayConfig.standard()
            .withIdlePoll(Duration.ofMillis(20))
            .withFlush(new RelayConfig.FlushPace(Duration.ofMillis(5), 500, Duration.ofSeconds(1)));

    /** All that lives as long as one test. */
    private record Scene(
            HikariDataSource database, PosthornBench bench, Outbox outbox, List<Consumer<Connection>> consumers) {}

    private final boolean running;
    private final RoutePolicy policy;
    private @Nullable Scene scene;
    private @Nullable Relay relay;

    private PosthornExtension(boolean running, RoutePolicy policy) {
        this.running = running;
        this.policy = policy;
    }

    /** With a relay that runs when the test says so. */
    public static PosthornExtension create() {
        return new PosthornExtension(false, RoutePolicy.standard().withRetry(scaled(RetryPolicy.ladder())));
    }

    /** With a relay that runs beside the test. */
    public PosthornExtension running() {
        return new PosthornExtension(true, policy);
    }

    /** With another policy for publishes that fail, whose pauses are kept without jitter. */
    public PosthornExtension retries(RetryPolicy chosen) {
        return new PosthornExtension(running, RoutePolicy.standard().withRetry(scaled(chosen)));
    }

    private static RetryPolicy scaled(RetryPolicy policy) {
        List<Duration> pauses = new ArrayList<>();
        for (int attempt = 1; attempt < policy.maxAttempts(); attempt++) {
            policy.pauseAfter(attempt, () -> MIDDLE).ifPresent(pause -> pauses.add(pause.multipliedBy(SCALE)));
        }
        return RetryPolicy.ladder(policy.maxAttempts(), pauses.isEmpty() ? List.of(Duration.ZERO) : pauses);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        HikariDataSource database = TestServer.emptyDatabase();
        new Migrations(Schema.DEFAULT, LANES).migrate(database);
        new PostgresRoutes(database, Schema.DEFAULT).create(Route.named(ROUTE).fromBeginning());
        scene = new Scene(
                database,
                new PosthornBench(database, Schema.DEFAULT, this, SCALE),
                new PostgresOutbox(PostgresOutboxConfig.DEFAULT),
                new ArrayList<>());
        start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Scene ending = scene();
        stop();
        ending.consumers().forEach(Consumer::close);
        ending.bench().close();
        ending.database().close();
        scene = null;
    }

    private Scene scene() {
        if (scene == null) {
            throw new IllegalStateException(
                    "There is nothing outside a test. Register the extension in a field with @RegisterExtension.");
        }
        return scene;
    }

    /** Starts the relay that runs beside the test, if there is to be one. */
    @Override
    public void start() {
        if (running && relay == null) {
            relay = startRelay();
        }
    }

    @Override
    public void stop() {
        if (relay != null) {
            relay.close();
            relay = null;
        }
    }

    private Relay startRelay() {
        return Relay.start(
                PostgresRelayStores.open(scene().database(), Schema.DEFAULT, ROUTE, RELAY),
                scene().bench().transport().publisher(),
                PACE,
                policy);
    }

    /** An empty database but for the schema of the log. */
    public DataSource dataSource() {
        return scene().database();
    }

    public Outbox outbox() {
        return scene().outbox();
    }

    /** A memory transport that is watched. */
    public Bus transport() {
        return scene().bench().transport();
    }

    /** What is done in a transaction. */
    @FunctionalInterface
    public interface Work {
        void run(Connection connection) throws Exception;
    }

    /** Does the work in a transaction, and commits it unless it throws. */
    public void inTransaction(Work work) throws Exception {
        try (Connection connection = dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.run(connection);
                connection.commit();
            } catch (Exception | Error failed) {
                undo(connection, failed);
                throw failed;
            }
        }
    }

    private static void undo(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException alsoFailed) {
            cause.addSuppressed(alsoFailed);
        }
    }

    /** Emits these events in a transaction of their own. */
    public void emit(Event... events) throws Exception {
        inTransaction(connection -> outbox().emit(connection, events));
    }

    /** Has a consumer of this name handle what comes, until the test ends. */
    public void consume(String consumer, Handlers<Connection> handlers) {
        consume(ConsumerConfig.of(Subscriber.named(consumer)), handlers);
    }

    /** The same, configured. */
    public void consume(ConsumerConfig config, Handlers<Connection> handlers) {
        scene().consumers()
                .add(Consumer.start(
                        transport(),
                        config,
                        handlers.around(scene().bench()::around),
                        PostgresInbox.equipment(dataSource(), Schema.DEFAULT)));
    }

    /** Publishes and has handled all that can be at this time, with all that follows from it. */
    public void runOnce() {
        if (running) {
            settle();
            return;
        }
        try (Relay once = startRelay()) {
            once.wakeUp();
            settle();
        }
    }

    /** Waits until all that can be published and handled at this time is. */
    public void settle() {
        scene().bench().settle();
    }

    /** See {@link PosthornBench#clock}. */
    public TestClock clock() {
        return scene().bench().clock();
    }

    /** See {@link PosthornBench#failPublish}. */
    public void failPublish(int... numbers) {
        scene().bench().failPublish(numbers);
    }

    /** See {@link PosthornBench#failHandling}. */
    public void failHandling(int... numbers) {
        scene().bench().failHandling(numbers);
    }

    /** What was published, in order. */
    public EventsAssert published() {
        return scene().bench().published();
    }

    /** What this consumer has handled and committed, in order. */
    public EventsAssert handledBy(String consumer) {
        return scene().bench().handledBy(consumer);
    }
}
