package dev.posthorn.demo;

import dev.posthorn.inbox.EventHandler;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** What the demos of the examples share: producers work until the goal is reached, then their effects are waited for. */
final class ExampleRun {

    /** So short that a run of seconds sees an event through all of its retries. */
    static final RetryPolicy RETRY = RetryPolicy.exponential(20, Duration.ofMillis(25), Duration.ofSeconds(1), 0.2);

    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LINE = TimeUnit.SECONDS.toNanos(1);

    private final Setting setting;
    private final Supplier<String> progress;
    private final Workplace.Meters meters = new Workplace.Meters(new Tally(), new LagMeter());
    private long nextLine = System.nanoTime();
    private volatile long lastArrival = System.nanoTime();

    /**
     * What a command gives to its demo.
     *
     * @param wrapper what to publish through, for tests
     */
    record Setting(ExampleOptions options, long seed, Goal goal, Display display, UnaryOperator<Publisher> wrapper) {}

    /** A number out of the database. */
    interface Count {
        long in(Connection connection) throws SQLException;
    }

    /** {@code progress}: what to tell each second beside the transactions. */
    ExampleRun(Setting setting, Supplier<String> progress) {
        this.setting = setting;
        this.progress = progress;
    }

    Tally tally() {
        return meters.tally();
    }

    LagMeter lag() {
        return meters.lag();
    }

    /** The same handler, of a consumer that gets every event: it tells when one arrives. */
    EventHandler<Connection> noting(EventHandler<Connection> handler) {
        return (event, connection) -> {
            var verdict = handler.handle(event, connection);
            lastArrival = System.nanoTime();
            boolean unused = lag().arrived(event.id());
            return verdict;
        };
    }

    /** From this moment, as {@link System#nanoTime}, until the last arrival that was noted. */
    double secondsSince(long begin) {
        return Math.max(0.001, (lastArrival - begin) / 1e9);
    }

    /** The destination with the faults that the flags ask for. */
    Publisher publisher(Publisher destination) {
        ExampleOptions options = setting.options();
        Faults faults = new Faults(
                options.failRate, 0, options.lostAnswers, Duration.ZERO, Duration.ofSeconds(1), setting.seed());
        return new FaultyPublisher(setting.wrapper().apply(destination), faults);
    }

    void produce(DemoDatabase database, Relay relay, ExampleProducer.Business business, int eventsEach) {
        ExampleProducer.Office office = new ExampleProducer.Office(
                database.pool(), business, eventsEach, setting.goal(), meters, relay::wakeUp);
        List<Thread> threads = new ArrayList<>();
        setting.goal().start();
        for (int i = 0; i < setting.options().producers; i++) {
            Thread thread = new Thread(
                    new ExampleProducer(office, setting.options().rollbacks, setting.seed() + i),
                    "demo-producer-" + (i + 1));
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        while (threads.stream().anyMatch(Thread::isAlive)) {
            tell("running");
            LockSupport.parkNanos(LOOK);
        }
    }

    /** Until every effect is there, or nothing has happened for as long as the patience lasts. */
    void drain(DemoDatabase database, Relay relay, Count effects, Count expected) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            long all = expected.in(connection);
            long sofar = effects.in(connection);
            long moved = System.nanoTime();
            while (sofar < all || isBusy(relay)) {
                tell("draining");
                LockSupport.parkNanos(LOOK);
                long now = effects.in(connection);
                if (now != sofar) {
                    moved = System.nanoTime();
                } else if (System.nanoTime() - moved
                        > setting.options().patience.toNanos()) {
                    setting.display().note("nothing more happens");
                    return;
                }
                sofar = now;
            }
        }
    }

    private static boolean isBusy(Relay relay) {
        RelayStatus status = relay.status();
        return status.held() > 0 || status.inFlight() > 0 || status.blockedKeys() > 0;
    }

    private void tell(String phase) {
        if (System.nanoTime() - nextLine >= 0) {
            nextLine = System.nanoTime() + LINE;
            setting.display()
                    .note(phase + ": committed "
                            + Numbers.count(tally().committed.sum()) + ", rolled back "
                            + Numbers.count(tally().rolledBack.sum()) + ", " + progress.get());
        }
    }
}
