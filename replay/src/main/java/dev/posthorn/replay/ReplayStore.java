package dev.posthorn.replay;

import java.time.Duration;
import java.util.Optional;

/**
 * What whoever publishes replays needs of the database.
 *
 * <p>A claim is the right to one replay for a time, by the database's clock. Each claim has a greater epoch than the one
 * before, and whatever is written with an older one changes nothing. Every method throws an unchecked exception if the
 * database did not answer, and then nobody knows whether it did what it was asked. Thread-safe.
 */
public interface ReplayStore {

    /**
     * The right to one replay.
     *
     * @param replay as it was when it was claimed
     */
    record Claim(Replay replay, long epoch) {}

    /** What became of a checkpoint. */
    enum Standing {
        /** It is written, and the claim goes on. */
        HELD,
        /** It is written, but nothing more is to be published now: an operator paused the route. */
        PAUSED,
        /** It is not written: the replay was cancelled, or is somebody else's. */
        LOST
    }

    /** Takes the oldest running replay into this target that nobody else has a claim to. */
    Optional<Claim> claim(Target target, String owner, Duration ttl);

    /**
     * The next selected events of a replay from the log, by seq: only what was committed before the replay was started.
     * Empty if the claim is lost.
     *
     * @param after a seq at or after the newest checkpoint
     */
    Optional<Page> page(Claim claim, long after, PageLimit limit);

    /** Writes a checkpoint and renews the claim. Also if it has not moved. */
    Standing advance(Claim claim, Checkpoint checkpoint, Duration ttl);

    /** Ends it: all is published. False if the claim is lost. */
    boolean finish(Claim claim);

    /** Ends it as FAILED for this reason. False if the claim is lost. */
    boolean fail(Claim claim, String fault);

    /** Gives it back, so that another one need not wait until the claim has run out. */
    void release(Claim claim);

    /** How much is read at once. The first event comes whatever its size. */
    record PageLimit(int events, long bytes) {}

    /**
     * From one position to another.
     *
     * @param from where the newest checkpoint is
     * @param published how many events lie between
     */
    record Checkpoint(long from, long to, long published) {}
}
