package dev.posthorn.demo;

import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads all meters into a frame. One thread at a time. */
final class Gauges {

    private static final int HISTORY_SECONDS = 60;

    private final Frame.Setting setting;
    private final Goal goal;
    private final Tally tally;
    private final LagMeter lag;
    private final Sources sources;
    private final Rate emitted = new Rate();
    private final Rate published = new Rate();
    private final Deque<Double> history = new ArrayDeque<>();
    private long historyAt = System.nanoTime();
    private long historyCount;

    /** What is asked for its own numbers. */
    record Sources(Arrivals arrivals, Relay relay, FaultyPublisher publisher) {}

    Gauges(Frame.Setting setting, Goal goal, Workplace.Meters meters, Sources sources) {
        this.setting = setting;
        this.goal = goal;
        this.tally = meters.tally();
        this.lag = meters.lag();
        this.sources = sources;
    }

    Frame read(String phase) {
        long now = System.nanoTime();
        long committed = tally.committed.sum();
        long arrived = sources.arrivals().firsts();
        remember(now, arrived);
        RelayStatus relay = sources.relay().status();
        Frame.Flow flow = new Frame.Flow(
                committed,
                emitted.at(now, committed),
                arrived,
                published.at(now, arrived),
                Math.max(0, lag.underWay() - relay.totals().dead()),
                lag.lately(),
                List.copyOf(history));
        Frame.Trouble trouble = new Frame.Trouble(
                tally.rolledBack.sum(),
                tally.savepoints.sum(),
                tally.lateCommits.sum(),
                sources.publisher().outages(),
                tally.databaseErrors.sum());
        return new Frame(setting, phase, goal.elapsed(), goal.progress(committed), flow, trouble, relay);
    }

    /** One bar for each second. */
    private void remember(long now, long arrived) {
        long passed = now - historyAt;
        if (passed < TimeUnit.SECONDS.toNanos(1)) {
            return;
        }
        history.addLast((arrived - historyCount) * 1e9 / passed);
        if (history.size() > HISTORY_SECONDS) {
            history.removeFirst();
        }
        historyAt = now;
        historyCount = arrived;
    }
}
