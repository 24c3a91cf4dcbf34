package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.claimcheck.PayloadCollector;
import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.claimcheck.StoredPayload;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.testkit.Await;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A collector that loses its session, or dies, at each step of a removal, while the same bytes are emitted again. */
@Tag("exact")
class PayloadSweepLossTest {

    enum Point {
        BEFORE_THE_LOOK,
        BEFORE_THE_REMOVAL,
        AFTER_THE_REMOVAL
    }

    private final ClaimScene scene = new ClaimScene(TestPostgres.migrated());
    private final HikariDataSource collecting = TestPostgres.pool(scene.postgres.dataSource());
    private final ExecutorService producer = Executors.newSingleThreadExecutor();
    private final Event old = scene.large("a");
    private final Event again = Event.of("orders", "order.placed")
            .payload(old.payloadBytes(), "image/png")
            .build();

    @BeforeEach
    void haveAPayloadThatNobodyNeeds() throws SQLException {
        scene.emit(old);
        scene.postgres.run("DELETE FROM posthorn.outbox");
    }

    @AfterEach
    void close() {
        producer.shutdownNow();
        collecting.close();
    }

    /** As a store of two calls does it, that something happens between. */
    private final class TwoCalls implements PayloadStore {

        private final Point point;
        private final Runnable happens;

        TwoCalls(Point point, Runnable happens) {
            this.point = point;
            this.happens = happens;
        }

        private void at(Point here) {
            if (here == point) {
                happens.run();
            }
        }

        @Override
        public boolean remove(PayloadKey key, Instant writtenBefore) {
            at(Point.BEFORE_THE_LOOK);
            at(Point.BEFORE_THE_REMOVAL); // it looked, and what it saw was old
            scene.store.lose(key);
            at(Point.AFTER_THE_REMOVAL);
            return true;
        }

        @Override
        public void put(PayloadKey key, ByteBuffer content) {
            scene.store.put(key, content);
        }

        @Override
        public Optional<byte[]> get(PayloadKey key, long atMost) {
            return scene.store.get(key, atMost);
        }

        @Override
        public void each(Consumer<StoredPayload> visitor) {
            scene.store.each(visitor);
        }

        @Override
        public void close() {}
    }

    private PayloadCollector collector(Point point, Runnable happens) {
        return new PayloadCollector(
                new TwoCalls(point, happens),
                new PostgresClaims(collecting, Schema.DEFAULT),
                ClaimScene.AT_ONCE,
                Clock.offset(Clock.systemUTC(), Duration.ofSeconds(1)));
    }

    /** As when the server is restarted, or a firewall cuts the line. */
    private void loseSessions() {
        collecting.getHikariPoolMXBean().softEvictConnections();
        scene.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND pid <> pg_backend_pid()");
    }

    private Future<?> emitAgain() {
        Future<?> emitted = producer.submit(() -> {
            scene.emit(again);
            return null;
        });
        Await.until("it is emitted, or waits", () -> emitted.isDone() || waits());
        return emitted;
    }

    private boolean waits() {
        return scene.rows("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND wait_event = 'PgSleep'")
                .equals(List.of("1"));
    }

    private void assertNothingIsLost() {
        assertThat(scene.logged())
                .singleElement()
                .satisfies(
                        event -> assertThat(scene.check.fetch(event).payload()).isEqualTo(old.payload()));
        assertThat(scene.rows("SELECT count(*) FROM posthorn.payload_sweep")).containsExactly("0");
        assertThat(scene.rows("SELECT event_id FROM posthorn.payload_reference"))
                .contains(again.id().toString());
    }

    @ParameterizedTest
    @EnumSource(Point.class)
    void oneThatLosesItsSessionLosesNoPayload(Point point) throws Exception {
        Future<?>[] emitted = new Future<?>[1];

        PayloadCollector.Report report = collector(point, () -> {
                    loseSessions();
                    emitted[0] = emitAgain();
                })
                .runOnce();

        assertThat(report.released()).isEqualTo(1);
        emitted[0].get(1, TimeUnit.MINUTES);
        assertNothingIsLost();
    }

    @ParameterizedTest
    @EnumSource(Point.class)
    void oneThatIsKilledLosesNoPayload(Point point) throws Exception {
        Future<?>[] emitted = new Future<?>[1];

        assertThatThrownBy(() -> collector(point, () -> {
                            collecting.close();
                            emitted[0] = emitAgain();
                            throw new IllegalStateException("killed");
                        })
                        .runOnce())
                .isNotNull();
        assertThat(emitted[0]).as("it waits for whoever may be removing it").isNotDone();
        scene.postgres.run("UPDATE posthorn.payload_sweep SET until = clock_timestamp()");

        emitted[0].get(1, TimeUnit.MINUTES);
        assertThat(scene.collector().runOnce()).isEqualTo(new PayloadCollector.Report(0, 0, 0));
        assertNothingIsLost();
    }

    @Test
    void theMarkOfOneThatWasKilledIsTakenOverWhenItsTimeIsOver() throws SQLException {
        assertThatThrownBy(() -> collector(Point.BEFORE_THE_REMOVAL, () -> {
                            collecting.close();
                            throw new IllegalStateException("killed");
                        })
                        .runOnce())
                .isNotNull();
        assertThat(scene.collector().runOnce().released()).as("its time lasts").isZero();
        scene.postgres.run("UPDATE posthorn.payload_sweep SET until = clock_timestamp()");

        assertThat(scene.collector().runOnce().released()).isEqualTo(1);

        assertThat(scene.store.size()).isZero();
        assertThat(scene.rows("SELECT count(*) FROM posthorn.payload_sweep")).containsExactly("0");
        assertThat(scene.rows("SELECT count(*) FROM posthorn.payload_reference"))
                .containsExactly("0");
    }

    @Test
    void aTransactionThatCanNotSeeTheMarkIsRefusedAndMayBeTriedAgain() throws SQLException {
        try (Connection connection = scene.postgres.transaction()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            TestPostgres.rows(connection, "SELECT 1"); // has its snapshot from now on

            collector(
                            Point.BEFORE_THE_REMOVAL,
                            () -> assertThatThrownBy(() -> scene.outbox.emit(connection, again))
                                    .isInstanceOf(EmitFailedException.class)
                                    .hasStackTraceContaining("40001"))
                    .runOnce();
        }
        scene.emit(again);

        assertNothingIsLost();
    }
}
