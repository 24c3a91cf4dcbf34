package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.operations.Health;
import dev.posthorn.operations.Look;
import dev.posthorn.relay.Loop;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is known from the last look at the database. One loop looks for everybody, so however many ask, the database is asked no
 * more often. Thread-safe.
 */
final class Live implements AutoCloseable {

    private static final Duration EVERY = Duration.ofSeconds(2);

    private final ConsoleSetup setup;
    private final Clock clock = Clock.systemUTC();
    private final History history = new History();
    private final Jobs jobs = new Jobs();
    private final AtomicReference<@Nullable Desk> desk = new AtomicReference<>();
    private final CountDownLatch looked = new CountDownLatch(1);
    private volatile Standing standing = Standing.unknown("The database has not been looked at yet.");
    private volatile @Nullable Instant asked;
    private volatile @Nullable Loop loop;
    private volatile boolean closed;

    Live(ConsoleSetup setup) {
        this.setup = setup;
    }

    void open(Desk opened) {
        Watch watch = new Watch(opened, clock);
        desk.set(opened);
        loop = new Loop("posthorn-console", () -> {
                    look(watch);
                    return EVERY;
                })
                .start();
    }

    @Override
    public void close() {
        closed = true;
        jobs.close();
        Loop running = loop;
        if (running != null) {
            running.close();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Throws if the database has not been there yet. */
    Desk desk() {
        Desk opened = desk.get();
        if (opened == null) {
            throw Refusal.of(
                    503, "no-database", "The process waits for its database. See /v1/health for what it waits for.");
        }
        return opened;
    }

    private void look(Watch watch) {
        asked = clock.instant();
        Standing now = watch.runOnce(standing);
        asked = null;
        history.note(now);
        standing = now;
        looked.countDown();
    }

    /** How everything stood a moment ago, or when the database last answered. */
    Standing standing() {
        if (!standing.isKnown()) {
            desk();
            awaitFirst();
        }
        Standing last = standing;
        return last.trouble().isEmpty() && Look.isOverdue(asked, clock.instant())
                ? last.doubted("It has not answered the last look yet.")
                : last;
    }

    private void awaitFirst() {
        try {
            boolean unused = looked.await(Look.ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    Health.Report health() {
        return setup.health().get();
    }

    ObjectNode overview() {
        return Overview.json(standing(), health(), history.newest(), clock.instant());
    }

    Jobs jobs() {
        return jobs;
    }

    History history() {
        return history;
    }

    Instant now() {
        return clock.instant();
    }
}
