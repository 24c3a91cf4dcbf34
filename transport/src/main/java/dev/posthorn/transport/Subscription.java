package dev.posthorn.transport;

import java.util.Optional;

/** One member of a subscriber, from {@link Bus#subscribe} to {@link #close}. Thread-safe. */
public interface Subscription extends AutoCloseable {

    Subscriber subscriber();

    Status status();

    /**
     * Takes nothing new and waits for the handlers that run, within the drain time; what they settled is settled at the
     * broker when this returns. What was not begun goes back, and comes to another member or a later one.
     */
    @Override
    void close();

    /**
     * What a member has done since it began, and how it is.
     *
     * @param totals how often each verdict was given
     * @param unsettled what is here now
     * @param trouble why nothing can be received, or what the last failed handling said; empty after a success
     */
    record Status(Totals totals, int unsettled, Optional<String> trouble) {}

    /** Running totals; {@code undecodable} ones count among the verdicts too. */
    record Totals(long done, long retried, long rejected, long undecodable) {}
}
