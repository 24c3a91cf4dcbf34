package dev.posthorn.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** How fast a counter grows, over the last two seconds. Not thread-safe. */
final class Rate {

    private static final long WINDOW = TimeUnit.SECONDS.toNanos(2);

    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long nanos, long count) {}

    /** The growth a second up to this value now. */
    double at(long nanos, long count) {
        samples.addLast(new Sample(nanos, count));
        while (samples.size() > 2 && nanos - samples.getFirst().nanos() > WINDOW) {
            samples.removeFirst();
        }
        Sample oldest = samples.getFirst();
        long time = nanos - oldest.nanos();
        return time == 0 ? 0 : (count - oldest.count()) * 1e9 / time;
    }
}
