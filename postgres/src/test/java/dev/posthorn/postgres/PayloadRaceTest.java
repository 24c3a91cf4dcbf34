package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Producers with few different payloads, that commit or not, against a collector that never rests. */
@Tag("slow")
class PayloadRaceTest {

    private static final int ROUNDS = TestSize.of(150, 400, 10_000);
    private static final int PRODUCERS = 3;
    private static final int CONTENTS = 4;
    private static final int SIZE = 140_000;

    private final ClaimScene scene = new ClaimScene(TestPostgres.migrated());
    private final List<byte[]> contents = new ArrayList<>();

    @Test
    void noCommittedEventEverLosesItsPayload() throws Exception {
        // Given
        for (int i = 0; i < CONTENTS; i++) {
            contents.add(scene.of("x", SIZE + i).payloadBytes());
        }
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + 1);
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> producing = new ArrayList<>();
        TestSeed seed = TestSeed.next("PayloadRaceTest");

        // When
        Future<Long> collecting = threads.submit(() -> {
            long removed = 0;
            while (!over.get()) {
                var report = scene.collector().runOnce();
                removed += report.orphans() + report.released();
            }
            return removed;
        });
        for (int i = 0; i < PRODUCERS; i++) {
            Random random = new Random(seed.value() + i);
            producing.add(threads.submit(() -> {
                produce(random);
                return null;
            }));
        }
        for (Future<?> one : producing) {
            one.get(5, TimeUnit.MINUTES);
        }
        over.set(true);

        // Then
        assertThat(collecting.get(1, TimeUnit.MINUTES)).as("%s", seed).isPositive();
        threads.shutdown();
        assertThat(scene.logged())
                .as("%s", seed)
                .isNotEmpty()
                .allSatisfy(event ->
                        assertThat(scene.check.fetch(event).payloadSize()).isGreaterThanOrEqualTo(SIZE));
    }

    private void produce(Random random) throws SQLException {
        for (int i = 0; i < ROUNDS; i++) {
            Event event = Event.of("orders", "order.placed")
                    .payload(contents.get(random.nextInt(CONTENTS)), "image/png")
                    .build();
            try (Connection connection = scene.postgres.transaction()) {
                scene.outbox.emit(connection, event);
                if (random.nextInt(10) == 0) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
            if (random.nextInt(4) == 0) {
                // Whoever read it does not need it any more: all of it is free again.
                scene.postgres.run("DELETE FROM posthorn.outbox WHERE id = '" + event.id() + "'");
            }
        }
    }
}
