package dev.posthorn.postgres;

import static dev.posthorn.postgres.ClaimScene.keyOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.archive.FolderArchive;
import dev.posthorn.claimcheck.Claim;
import dev.posthorn.claimcheck.PayloadCollector;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Payloads that nobody needs are removed, and no others. */
class PayloadCollectorTest {

    private static final PayloadCollector.Report NOTHING = new PayloadCollector.Report(0, 0, 0);

    private final RelayHarness harness = new RelayHarness();
    private final ClaimScene scene = new ClaimScene(harness.postgres);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        harness.close();
    }

    private void publishAll() {
        RecordingTransport transport = RecordingTransport.accepting();
        try (var relay = harness.startRelay("r1", transport.publisher())) {
            Await.until(
                    () -> "all are published: " + relay.status(),
                    () -> harness.rows("SELECT count(*) FROM posthorn.outbox_status WHERE state <> 'SENT'")
                            .equals(List.of("0")));
        }
    }

    private long prune() {
        return new PostgresPruner(harness.pool, Schema.DEFAULT, Duration.ZERO)
                .prune(events -> {})
                .events();
    }

    /** It is a dead letter there. */
    private static void die(TestPostgres there, Event event) throws SQLException {
        there.run("INSERT INTO posthorn.dead_letter (id, consumer, handler, kind, component, event_id, cause, reason,"
                + " details, fingerprint, remedy, attempts, headers, body, metadata, occurred_at) VALUES"
                + " (gen_random_uuid(), 'c', 'h', 'consumer', 'x', '" + event.id()
                + "', 'rejected', 'no', '{}', 'no', 'mend', 1, '{}', '', '{}', now())");
    }

    private Event rolledBack() throws SQLException {
        Event event = scene.large("a");
        try (Connection connection = harness.postgres.transaction()) {
            scene.outbox.emit(connection, event);
            connection.rollback();
        }
        return event;
    }

    @Test
    void whatARollbackLeftIsRemovedOnceItIsOldEnough() throws SQLException {
        Event orphan = rolledBack();
        var limits = new PayloadCollector.Limits(Duration.ofDays(14), Duration.ofDays(1));
        assertThat(new PayloadCollector(scene.store, scene.register, limits, Clock.systemUTC()).runOnce())
                .isEqualTo(NOTHING);
        assertThat(scene.collector(limits).look()).isEqualTo(new PayloadCollector.Report(0, 1, ClaimScene.LARGE));
        assertThat(scene.store.has(keyOf(orphan))).isTrue();

        PayloadCollector.Report report = scene.collector(limits).runOnce();

        assertThat(report).isEqualTo(new PayloadCollector.Report(0, 1, ClaimScene.LARGE));
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void whatAnEventInTheLogRefersToStays() throws SQLException {
        scene.emit(scene.large("a"));

        assertThat(scene.collector().runOnce()).isEqualTo(NOTHING);
        assertThat(scene.store.size()).isEqualTo(1);
    }

    @Test
    void whatItsEventOutlivedItIsKeptForATimeAndThenRemoved() throws SQLException {
        Event gone = scene.large("a");
        scene.emit(gone);
        publishAll();
        assertThat(prune()).isEqualTo(1);
        assertThat(scene.collector(new PayloadCollector.Limits(Duration.ofDays(14), Duration.ZERO))
                        .runOnce())
                .isEqualTo(NOTHING);

        PayloadCollector.Report report = scene.collector().runOnce();

        assertThat(report).isEqualTo(new PayloadCollector.Report(1, 0, 0));
        assertThat(scene.store.size()).isZero();
        assertThat(scene.rows("SELECT count(*) FROM posthorn.payload_reference"))
                .containsExactly("0");
    }

    @Test
    void whatTwoEventsShareStaysUntilBothAreGone() throws SQLException {
        Event first = scene.large("a");
        Event second = Event.of("orders", "order.copied")
                .key("b")
                .payload(first.payloadBytes(), "image/png")
                .build();
        scene.emit(first);
        publishAll();
        prune();
        scene.emit(second);
        assertThat(scene.store.size()).isEqualTo(1);

        assertThat(scene.collector().runOnce()).isEqualTo(NOTHING);
        publishAll();
        prune();

        assertThat(scene.collector().runOnce().released()).isEqualTo(1);
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void whatADeadLetterRefersToStaysUntilItIsDecided() throws SQLException {
        Event event = scene.large("a");
        scene.emit(event);
        die(harness.postgres, event);
        publishAll();
        prune();
        assertThat(scene.rows("SELECT count(*) FROM posthorn.outbox")).containsExactly("0");
        assertThat(scene.collector().runOnce()).isEqualTo(NOTHING);
        harness.postgres.run("UPDATE posthorn.dead_letter SET state = 'REDRIVE'");
        assertThat(scene.collector().runOnce()).isEqualTo(NOTHING);

        harness.postgres.run("UPDATE posthorn.dead_letter SET state = 'HANDLED'");

        assertThat(scene.collector().runOnce().released()).isEqualTo(1);
    }

    @Test
    void whatIsDeadInTheDatabaseOfAConsumerStays() throws SQLException {
        Event event = scene.large("a");
        scene.emit(event);
        TestPostgres elsewhere = TestPostgres.migrated();
        die(elsewhere, event);
        publishAll();
        prune();
        PayloadCollector collector =
                scene.collector().sparing(PostgresClaims.holder(elsewhere.dataSource(), Schema.DEFAULT));
        assertThat(collector.runOnce()).isEqualTo(NOTHING);

        elsewhere.run("DELETE FROM posthorn.dead_letter");

        assertThat(collector.runOnce().released()).isEqualTo(1);
    }

    @Test
    void whatAnArchivedEventRefersToStaysUntilSomebodySaysThatTheVolumesAreGone() throws SQLException {
        Event archived = scene.large("a");
        scene.emit(archived, scene.of("b", 10));
        publishAll();
        assertThat(new PostgresPruner(harness.pool, Schema.DEFAULT, Duration.ZERO)
                        .withArchive(new FolderArchive(folder))
                        .prune(events -> {})
                        .archived())
                .isEqualTo(2);
        assertThat(scene.collector().runOnce()).isEqualTo(NOTHING);
        assertThat(scene.store.has(keyOf(archived))).isTrue();
        assertThatThrownBy(() -> scene.register.releaseArchived(Instant.now(), ""))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("Say why");

        long released = scene.register.releaseArchived(Instant.now().plusSeconds(60), "volumes of 2025 are gone");

        assertThat(released).isEqualTo(1);
        assertThat(scene.collector().runOnce().released()).isEqualTo(1);
        assertThat(scene.rows("SELECT action, reason, rows FROM posthorn.operator_action"))
                .containsExactly("release archived payloads|volumes of 2025 are gone|1");
    }

    @Test
    void whatAnOpenTransactionHasPutStaysHoweverLongItTakes() throws SQLException {
        Event event = scene.large("a");
        try (Connection connection = harness.postgres.transaction()) {
            scene.outbox.emit(connection, event);

            assertThat(scene.collector().runOnce()).isEqualTo(NOTHING);

            connection.commit();
        }
        assertThat(scene.collector().runOnce()).isEqualTo(NOTHING);
        assertThat(scene.store.has(keyOf(event))).isTrue();
    }

    /** An orphan of the same content is just being removed when a new event with it is emitted. */
    @Test
    void anEmitDuringTheRemovalOfTheSamePayloadWaitsAndPutsItAgain() throws Exception {
        // Given
        Event orphan = rolledBack();
        Event again = Event.of("orders", "order.placed")
                .payload(orphan.payloadBytes(), "image/png")
                .build();
        CountDownLatch removing = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(1);
        CompletableFuture<Boolean> sweep =
                CompletableFuture.supplyAsync(() -> scene.register.sweep(keyOf(orphan), Duration.ZERO, events -> {
                    removing.countDown();
                    await(waiting);
                    return scene.store.remove(keyOf(orphan), Instant.now().plusSeconds(60));
                }));
        await(removing);

        // When
        CompletableFuture<Void> emit = CompletableFuture.runAsync(() -> {
            try {
                scene.emit(again);
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        });
        Await.until(
                "the emit waits",
                () -> scene.rows("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND wait_event = 'PgSleep'")
                        .equals(List.of("1")));
        long puts = scene.store.puts();
        waiting.countDown();
        emit.join();

        // Then
        assertThat(puts).isEqualTo(1);
        assertThat(sweep.join()).isTrue();
        assertThat(scene.store.has(keyOf(again))).isTrue();
        assertThat(scene.collector().runOnce()).isEqualTo(NOTHING);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void ifTheStoreIsDownNothingIsForgotten() throws SQLException {
        scene.emit(scene.large("a"));
        publishAll();
        prune();
        scene.store.broken(true);

        assertThatThrownBy(() -> scene.collector().runOnce()).isInstanceOf(PayloadStoreException.class);

        scene.store.broken(false);
        assertThat(scene.collector().runOnce().released()).isEqualTo(1);
    }

    @Test
    void whatIsNewerThanTheGraceIsNotForgottenEither() throws SQLException {
        Event event = scene.large("a");
        scene.register.register(new Claim(event.id(), keyOf(event), 1));
        scene.store.put(keyOf(event), event.payload());

        boolean swept = scene.register.sweep(
                keyOf(event), Duration.ZERO, events -> scene.store.remove(keyOf(event), Instant.EPOCH));

        assertThat(swept).isFalse();
        assertThat(scene.rows("SELECT count(*) FROM posthorn.payload_reference"))
                .containsExactly("1");
    }

    @Test
    void theRolesAreEnoughForTheirParts() throws SQLException {
        // Given
        Event event = scene.large("a");
        TestRole producer = TestRole.create(harness.postgres, Schema.DEFAULT, RoleKind.PRODUCER);
        TestRole relay = TestRole.create(harness.postgres, Schema.DEFAULT, RoleKind.RELAY);
        TestRole operator = TestRole.create(harness.postgres, Schema.DEFAULT, RoleKind.OPERATOR);
        ClaimScene asProducer = new ClaimScene(harness.postgres, producer.dataSource());

        // When
        try (Connection connection = producer.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            asProducer.outbox.emit(connection, event);
            connection.commit();
        }
        PostgresClaims asRelay = new PostgresClaims(relay.dataSource(), Schema.DEFAULT);
        asRelay.register(new Claim(event.id(), keyOf(event), ClaimScene.LARGE));

        // Then
        assertThat(asRelay.released(Optional.empty(), Duration.ZERO, 10)).isEmpty();
        assertThat(asRelay.unknown(List.of(keyOf(event)))).isEmpty();
        assertThat(asRelay.sweep(keyOf(event), Duration.ZERO, events -> true)).isFalse();
        assertThat(PostgresClaims.holder(relay.dataSource(), Schema.DEFAULT).holding(Set.of(event.id())))
                .containsExactly(event.id());
        assertThat(new PostgresClaims(operator.dataSource(), Schema.DEFAULT).releaseArchived(Instant.now(), "a test"))
                .isZero();
        producer.assertMayNot("SELECT posthorn.mark_payload('\\x" + keyOf(event) + "', '0', gen_random_uuid(), '1 s')");
        producer.assertMayNot("DELETE FROM posthorn.payload_reference");
        relay.assertMayNot("SELECT posthorn.release_archived_payloads(now(), 'x')");
    }
}
