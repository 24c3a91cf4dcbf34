package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.InboxException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The right of one session to the events it handles, renewed while it lasts. What handlers get that work in nothing else.
 *
 * <p>Thread-safe.
 */
public final class Claim {

    private static final String PROCESSING = "processing:";

    private final String value = PROCESSING + UUID.randomUUID();
    private final Duration lease;
    private final List<String> marks = new CopyOnWriteArrayList<>();
    private volatile long renewedAt = System.nanoTime();
    private volatile boolean lost;

    Claim(Duration lease) {
        this.lease = lease;
    }

    /**
     * Returns if nobody else can have the events; the last thing to ask before a call that can not be taken back. Asks nobody:
     * it is known from the renewals.
     *
     * @throws InboxException if another one has taken them, or may have, because the claim could not be renewed in time. Let it
     *     pass on: the event comes again, and no attempt is charged
     */
    public void check() {
        if (!isSure()) {
            throw new InboxException("The claim on an event could not be kept: another member may have it in work. A"
                    + " process that stands still for longer than the lease of " + lease + " loses its claims.");
        }
    }

    /** Whether nobody else can have the events. */
    public boolean isSure() {
        return !lost && System.nanoTime() - renewedAt < lease.toNanos();
    }

    /** What the marks have while it lasts; no other claim has the same. */
    String value() {
        return value;
    }

    List<String> marks() {
        return List.copyOf(marks);
    }

    void add(List<String> more, long sentAt) {
        marks.addAll(more);
        renewed(sentAt);
    }

    /** All of it is renewed, by what was sent then. */
    void renewed(long sentAt) {
        renewedAt = sentAt;
    }

    void lost() {
        lost = true;
    }
}
