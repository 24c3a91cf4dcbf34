package dev.posthorn.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The relay's knobs.
 *
 * @param leaseTtl how long a silent relay keeps its lanes (15 s). Too low: a pause of the process costs duplicates. Too
 *     high: a crash stops its lanes for that long.
 * @param publishTimeout when an unanswered publish counts as unknown (30 s). Too low: duplicates. Too high: a lost
 *     answer holds its key for that long.
 * @param page how many rows one read may bring per lane (512). Too low: more statements. Too high: more memory.
 * @param lane how much of a lane may be read but not checkpointed; what a crash can duplicate
 * @param flush when checkpoints are written
 * @param maxInFlight how many publishes may be unanswered at once (10,000)
 * @param maxBlockedKeys how many blocked keys of one lane count as an outage (1,000)
 * @param idlePoll how long an idle relay waits between two looks at the log (500 ms): the latency of the first event
 *     after a quiet time when the emitter is another process
 */
public record RelayConfig(
        Duration leaseTtl,
        Duration publishTimeout,
        int page,
        LaneLimit lane,
        FlushPace flush,
        int maxInFlight,
        int maxBlockedKeys,
        Duration idlePoll) {

    /** Health names an outage within 10 s; brokers that confirm after 5 s have none. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(8);

    private static final Duration NO_TIMEOUT = Duration.ofDays(1);

    /** The bound on events and bytes of one lane that are read but not checkpointed. */
    public record LaneLimit(int events, long bytes) {}

    /** A flush is due after this time or this many events, whichever comes first; stragglers hold it no longer than that. */
    public record FlushPace(Duration every, int events, Duration straggler) {}

    public RelayConfig {
        List<String> faults = new ArrayList<>();
        require(leaseTtl.toMillis() >= 1_000, "leaseTtl must be at least 1s, but is " + leaseTtl, faults);
        require(!publishTimeout.isNegative() && !publishTimeout.isZero(), "publishTimeout must be positive", faults);
        require(page >= 1, "page must be at least 1, but is " + page, faults);
        require(lane.events() >= 1 && lane.bytes() >= 1, "lane limits must be at least 1, but are " + lane, faults);
        require(flush.events() >= 1, "flush.events must be at least 1, but is " + flush.events(), faults);
        require(maxInFlight >= 1, "maxInFlight must be at least 1, but is " + maxInFlight, faults);
        require(maxBlockedKeys >= 1, "maxBlockedKeys must be at least 1, but is " + maxBlockedKeys, faults);
        require(idlePoll.toMillis() >= 1, "idlePoll must be at least 1ms, but is " + idlePoll, faults);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("The relay can not run like this: " + String.join("; ", faults));
        }
    }

    /**
     * How long nothing may be answered before that is an outage: 8 s, or less where the timeout is shorter. Empty where publications
     * have no timeout because handlers take as long as they need.
     */
    Optional<Duration> silence() {
        if (publishTimeout.compareTo(NO_TIMEOUT) >= 0) {
            return Optional.empty();
        }
        Duration share = publishTimeout.multipliedBy(4).dividedBy(5);
        return Optional.of(share.compareTo(LONGEST_SILENCE) < 0 ? share : LONGEST_SILENCE);
    }

    public static RelayConfig standard() {
        return new RelayConfig(
                Duration.ofSeconds(15),
                Duration.ofSeconds(30),
                512,
                new LaneLimit(2_048, 8L << 20),
                new FlushPace(Duration.ofMillis(50), 500, Duration.ofSeconds(1)),
                10_000,
                1_000,
                Duration.ofMillis(500));
    }

    public RelayConfig withLeaseTtl(Duration ttl) {
        return new RelayConfig(ttl, publishTimeout, page, lane, flush, maxInFlight, maxBlockedKeys, idlePoll);
    }

    public RelayConfig withPublishTimeout(Duration timeout) {
        return new RelayConfig(leaseTtl, timeout, page, lane, flush, maxInFlight, maxBlockedKeys, idlePoll);
    }

    public RelayConfig withPage(int rows) {
        return new RelayConfig(leaseTtl, publishTimeout, rows, lane, flush, maxInFlight, maxBlockedKeys, idlePoll);
    }

    public RelayConfig withLane(LaneLimit limit) {
        return new RelayConfig(leaseTtl, publishTimeout, page, limit, flush, maxInFlight, maxBlockedKeys, idlePoll);
    }

    public RelayConfig withFlush(FlushPace pace) {
        return new RelayConfig(leaseTtl, publishTimeout, page, lane, pace, maxInFlight, maxBlockedKeys, idlePoll);
    }

    public RelayConfig withMaxInFlight(int publishes) {
        return new RelayConfig(leaseTtl, publishTimeout, page, lane, flush, publishes, maxBlockedKeys, idlePoll);
    }

    public RelayConfig withIdlePoll(Duration poll) {
        return new RelayConfig(leaseTtl, publishTimeout, page, lane, flush, maxInFlight, maxBlockedKeys, poll);
    }

    public RelayConfig withMaxBlockedKeys(int keys) {
        return new RelayConfig(leaseTtl, publishTimeout, page, lane, flush, maxInFlight, keys, idlePoll);
    }

    private static void require(boolean holds, String otherwise, List<String> faults) {
        if (!holds) {
            faults.add(otherwise);
        }
    }
}
