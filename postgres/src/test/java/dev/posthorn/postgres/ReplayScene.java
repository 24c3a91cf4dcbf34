package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.relay.Route;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.ReplayStore;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A log with a route, replays into it, and a clock that moves when the test says so. */
final class ReplayScene implements AutoCloseable {

    static final Target MAIN = Target.route("main");
    static final Replay.Request EVERYTHING = Replay.Request.into(MAIN);
    static final int PAGE = 10;

    final TestPostgres postgres = TestPostgres.migrated();
    final HikariDataSource pool = postgres.pool();
    final PostgresOutbox outbox =
            new PostgresOutbox(new PostgresOutboxConfig(Schema.DEFAULT, PostgresOutboxConfig.MOST_PAYLOAD_BYTES));
    final PostgresReplayDesk desk = new PostgresReplayDesk(pool, Schema.DEFAULT);
    final PostgresReplays store = new PostgresReplays(pool, Schema.DEFAULT);
    ReplayConfig config = ReplayConfig.standard().withPage(PAGE).withRetry(RetryPolicy.fixed(3, Duration.ofSeconds(1)));
    private long now = Duration.ofHours(1).toNanos();

    ReplayScene() {
        new PostgresRoutes(pool, Schema.DEFAULT).create(Route.named("main"));
    }

    void emit(Event... events) throws SQLException {
        emit(List.of(events));
    }

    void emit(List<Event> events) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            outbox.emit(connection, events);
            connection.commit();
        }
    }

    /** So many events, of so many keys in turn. */
    static List<Event> events(int count, int keys) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of("shop", "Placed")
                        .key("k" + i % keys)
                        .sequence(i)
                        .build())
                .toList();
    }

    Replay start(Selection selection) {
        return desk.start(EVERYTHING.selecting(selection));
    }

    ReplayStep step(Publisher publisher) {
        return step("one", store, publisher);
    }

    ReplayStep step(String owner, ReplayStore with, Publisher publisher) {
        return new ReplayStep(new ReplayStep.Parts(owner, MAIN, with, publisher, config), () -> now);
    }

    void pass(Duration time) {
        now += time.toNanos();
    }

    /** Runs it, and lets the time pass that it asks for, until no replay runs. */
    void runToEnd(ReplayStep step) {
        for (int i = 0; i < 10_000 && runs(); i++) {
            pass(step.runOnce());
        }
        if (runs()) {
            throw new AssertionError("It never ended: " + desk.list());
        }
    }

    private boolean runs() {
        return desk.list().stream().anyMatch(replay -> replay.state() == Replay.State.RUNNING);
    }

    /** What a fresh step publishes until no replay runs. */
    List<Event> published() {
        RecordingTransport transport = RecordingTransport.accepting();
        runToEnd(step(transport.publisher()));
        transport.assertAtMostOneInFlightPerKey();
        return transport.events();
    }

    /** What a replay of this selection publishes, by type. */
    List<String> types(Selection selection) {
        start(selection);
        return published().stream().map(Event::type).toList();
    }

    /** As if whoever has a claim had been silent for long. */
    void expireClaims() throws SQLException {
        postgres.run("UPDATE posthorn.replay SET expires_at = '-infinity'");
    }

    @Override
    public void close() {
        pool.close();
    }
}
