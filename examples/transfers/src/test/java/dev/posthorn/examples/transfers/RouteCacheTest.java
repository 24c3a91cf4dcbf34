package dev.posthorn.examples.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RouteCacheTest {

    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void aRouteIsAskedForOnceUntilItIsInvalidated() {
        RouteCache routes = new RouteCache(payee -> payee + asked.incrementAndGet());

        assertThat(routes.routeTo("a")).isEqualTo("a1");
        assertThat(routes.routeTo("a")).isEqualTo("a1");
        assertThat(routes.routeTo("b")).isEqualTo("b2");
        routes.invalidate("a");
        assertThat(routes.routeTo("a")).isEqualTo("a3");
        assertThat(routes.routeTo("b")).isEqualTo("b2");
    }

    @Test
    void aRouteOfWhichNobodyHeardIsAskedForAgainAfterFiveMinutes() {
        AtomicReference<Instant> clock = new AtomicReference<>(Instant.EPOCH);
        RouteCache routes = new RouteCache(payee -> payee + asked.incrementAndGet(), clock::get);

        assertThat(routes.routeTo("a")).isEqualTo("a1");
        clock.set(Instant.EPOCH.plus(Duration.ofSeconds(299)));
        assertThat(routes.routeTo("a")).isEqualTo("a1");
        clock.set(Instant.EPOCH.plus(Duration.ofMinutes(5)));
        assertThat(routes.routeTo("a")).isEqualTo("a2");
    }

    @Test
    void aLookupThatRunsWhileItsRouteChangesIsNotKept() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        RouteCache routes = new RouteCache(payee -> {
            int time = asked.incrementAndGet();
            reading.countDown();
            awaitQuietly(mayAnswer);
            return payee + time;
        });
        Thread reader = new Thread(() -> routes.routeTo("a"));
        reader.start();
        assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
        Thread change = new Thread(() -> routes.invalidate("a"));
        change.start();
        Await.until(
                "the change to wait, or to be over",
                () -> change.getState() == Thread.State.BLOCKED || change.getState() == Thread.State.TERMINATED);

        mayAnswer.countDown();
        reader.join();
        change.join();

        assertThat(routes.routeTo("a")).as("asked for after the change").isEqualTo("a2");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
