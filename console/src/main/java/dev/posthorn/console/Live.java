package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.operations.Health;
import dev.posthorn.relay.Loop;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
    private volatile @Nullable Watch watch;
    private volatile @Nullable Standing standing;
    private volatile @Nullable Loop loop;
    private volatile boolean closed;

    Live(ConsoleSetup setup) {
        this.setup = setup;
    }

    void open(Desk opened) {
        watch = new Watch(opened, clock);
        desk.set(opened);
        loop = new Loop("posthorn-console", () -> {
                    look();
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

    private void look() {
        Watch looking = watch;
        if (looking != null) {
            Standing now = looking.runOnce();
            history.note(now, published());
            standing = now;
        }
    }

    private long published() {
        return setup.health().get().routes().stream()
                .mapToLong(route -> route.status().totals().published())
                .sum();
    }

    /** How everything stood a moment ago. */
    Standing standing() {
        if (standing == null) {
            desk();
            look();
        }
        Standing now = standing;
        return now == null ? Standing.unknown(clock.instant(), "the database has not been looked at yet") : now;
    }

    Health.Report health() {
        return setup.health().get();
    }

    ObjectNode overview() {
        return Overview.json(standing(), health(), history.newest());
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
