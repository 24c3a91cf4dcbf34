package dev.posthorn.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UuidV7Test {

    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

    @Test
    void anIdHasTheVersionAndVariantOfTheRfc() {
        for (int i = 0; i < 10_000; i++) {
            UUID id = UuidV7.system().get();
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void anIdBeginsWithItsMilliseconds() {
        UUID id = UuidV7.seeded(Clock.fixed(NOON, ZoneOffset.UTC), 1).get();
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOON.toEpochMilli());
    }

    @Test
    void idsRiseAlsoWithinAMillisecondAndPastItsCounter() {
        // Given
        UuidV7 ids = UuidV7.seeded(Clock.fixed(NOON, ZoneOffset.UTC), 1);

        // When
        List<String> made =
                Stream.generate(ids).limit(10_000).map(UUID::toString).toList();

        // Then
        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void idsRiseAlsoWhenTheClockGoesBack() {
        // Given
        MovableClock clock = new MovableClock();
        UuidV7 ids = UuidV7.seeded(clock, 1);
        String before = ids.get().toString();

        // When
        clock.now = NOON.minusSeconds(3600);

        // Then
        assertThat(ids.get().toString()).isGreaterThan(before);
    }

    @Test
    void theSameClockAndSeedGiveTheSameIds() {
        Clock clock = Clock.fixed(NOON, ZoneOffset.UTC);
        assertThat(Stream.generate(UuidV7.seeded(clock, 7)).limit(5).toList())
                .isEqualTo(Stream.generate(UuidV7.seeded(clock, 7)).limit(5).toList())
                .isNotEqualTo(Stream.generate(UuidV7.seeded(clock, 8)).limit(5).toList());
    }

    @Test
    void manyThreadsGetDistinctIdsThatRiseForEach() throws Exception {
        // Given
        int threads = 8;
        int each = 20_000;
        Callable<List<UUID>> maker =
                () -> Stream.generate(UuidV7.system()).limit(each).toList();
        ExecutorService pool = Executors.newFixedThreadPool(threads);

        // When
        List<List<UUID>> made = new ArrayList<>();
        for (Future<List<UUID>> result : pool.invokeAll(Collections.nCopies(threads, maker))) {
            made.add(result.get());
        }
        pool.shutdown();

        // Then
        Set<UUID> distinct = new HashSet<>();
        for (List<UUID> ids : made) {
            distinct.addAll(ids);
            assertThat(ids.stream().map(UUID::toString).toList()).isSorted();
        }
        assertThat(distinct).hasSize(threads * each);
    }

    private static final class MovableClock extends Clock {
        private Instant now = NOON;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
