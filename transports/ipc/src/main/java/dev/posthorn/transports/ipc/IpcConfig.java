package dev.posthorn.transports.ipc;

import dev.posthorn.event.PosthornException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How an {@link IpcTransport} and an {@link IpcHub} are set up. All that share a folder should have the same.
 *
 * @param folder where sockets, locks and dead letters are; it is what keeps several installations apart. Made with rights for
 *     its owner only by whoever hosts a hub; refused if others may write to it
 * @param shape who keeps the queues. Default {@link Shape#FIRST_HOSTS}
 * @param acceptance when an event counts as accepted. Default {@link Acceptance#QUEUED}
 * @param unroutable what becomes of an event that no subscriber wants. Default {@link Unroutable#FAIL}
 * @param limits how much at most
 * @param timing how long at most
 */
public record IpcConfig(
        Path folder, Shape shape, Acceptance acceptance, Unroutable unroutable, Limits limits, Timing timing) {

    /** What a frame may have beside the payload: the headers. */
    private static final int HEADERS = 1 << 20;

    /**
     * Bounds of memory.
     *
     * @param capacity how many events a subscriber may be behind (10,000). Too low: publishers are held back at every hiccup.
     *     Too high: more is lost when the hub dies
     * @param capacityBytes how many bytes of events a subscriber may be behind (64 MiB); one event always fits
     * @param maxMessageBytes the largest payload (8 MiB). Too high: a connection may make the hub hold so much
     * @param connections how many a hub serves (1,000). Too low: processes are turned away. Too high: descriptors run out
     */
    public record Limits(int capacity, long capacityBytes, int maxMessageBytes, int connections) {

        public static final Limits STANDARD = new Limits(10_000, 64L << 20, 8 << 20, 1_000);

        private void addFaults(List<String> faults) {
            if (capacity < 1) {
                faults.add("limits.capacity must be at least 1, but is " + capacity);
            }
            if (capacityBytes < 1) {
                faults.add("limits.capacityBytes must be at least 1, but is " + capacityBytes);
            }
            if (maxMessageBytes < 1 || maxMessageBytes > 1 << 30) {
                faults.add("limits.maxMessageBytes must be between 1 and " + (1 << 30) + ", but is " + maxMessageBytes);
            }
            if (connections < 1) {
                faults.add("limits.connections must be at least 1, but is " + connections);
            }
        }

        /** The largest frame that either side takes. */
        int largestFrame() {
            return maxMessageBytes + HEADERS;
        }
    }

    /**
     * Bounds of time.
     *
     * @param answer until a publisher gives up waiting for a hub that stands still, and the event is unknown (10 s). Too low:
     *     a busy machine costs attempts. Too high: a hub that hangs is noticed late
     * @param patience how long an event waits at the hub for room in a queue, or to be handled, before that is answered (5 s);
     *     at most half of what the publisher waits. Too low: unavailable at every hiccup. Too high: publishers wait for a
     *     subscriber that stands still
     * @param silence until a process that is connected and does not answer counts as dead (30 s). Too low: a long pause of a
     *     process makes its events come again. Too high: its events wait for so long
     * @param absence how long a subscriber without members is kept (10 min). Too low: it misses events when it is
     *     restarted. Too high: one that never comes back fills its queue and then holds up all publishers
     * @param drain how long a hub that is closed waits for its queues to be handled (5 s). Too low: accepted events are
     *     dropped. Too high: the process ends late
     */
    public record Timing(Duration answer, Duration patience, Duration silence, Duration absence, Duration drain) {

        public static final Timing STANDARD = new Timing(
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofMinutes(10),
                Duration.ofSeconds(5));

        private void addFaults(List<String> faults) {
            atLeast(faults, "answer", answer, 10);
            atLeast(faults, "patience", patience, 1);
            atLeast(faults, "silence", silence, 100);
            atLeast(faults, "absence", absence, 1);
            atLeast(faults, "drain", drain, 0);
        }

        private static void atLeast(List<String> faults, String key, Duration value, long millis) {
            if (value.toMillis() < millis) {
                faults.add("timing." + key + " must be at least " + millis + " ms, but is " + value);
            }
        }

        public Timing answer(Duration answer) {
            return new Timing(answer, patience, silence, absence, drain);
        }

        public Timing patience(Duration patience) {
            return new Timing(answer, patience, silence, absence, drain);
        }

        public Timing silence(Duration silence) {
            return new Timing(answer, patience, silence, absence, drain);
        }

        public Timing absence(Duration absence) {
            return new Timing(answer, patience, silence, absence, drain);
        }

        public Timing drain(Duration drain) {
            return new Timing(answer, patience, silence, absence, drain);
        }
    }

    public IpcConfig {
        folder = folder.toAbsolutePath().normalize();
        List<String> faults = new ArrayList<>();
        limits.addFaults(faults);
        timing.addFaults(faults);
        new Folder(folder).addFaults(faults);
        if (!faults.isEmpty()) {
            throw new PosthornException(
                    "The IPC transport can not be configured like this: " + String.join("; ", faults) + ".");
        }
    }

    /** With all defaults: the first process that needs a hub hosts it. */
    public static IpcConfig in(Path folder) {
        return new IpcConfig(
                folder, Shape.FIRST_HOSTS, Acceptance.QUEUED, Unroutable.FAIL, Limits.STANDARD, Timing.STANDARD);
    }

    public IpcConfig shape(Shape shape) {
        return new IpcConfig(folder, shape, acceptance, unroutable, limits, timing);
    }

    public IpcConfig acceptance(Acceptance acceptance) {
        return new IpcConfig(folder, shape, acceptance, unroutable, limits, timing);
    }

    public IpcConfig unroutable(Unroutable unroutable) {
        return new IpcConfig(folder, shape, acceptance, unroutable, limits, timing);
    }

    public IpcConfig limits(Limits limits) {
        return new IpcConfig(folder, shape, acceptance, unroutable, limits, timing);
    }

    public IpcConfig timing(Timing timing) {
        return new IpcConfig(folder, shape, acceptance, unroutable, limits, timing);
    }
}
