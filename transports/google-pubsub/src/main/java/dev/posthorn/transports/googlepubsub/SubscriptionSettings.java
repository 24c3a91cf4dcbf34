package dev.posthorn.transports.googlepubsub;

import java.time.Duration;
import java.util.List;

/**
 * What the subscriptions are like that are made for subscribers. Those that exist are left as they are.
 *
 * @param ackDeadline how long an event may be here before it comes again, 10 s to 600 s (60 s); extended while it is here.
 *     Too low: a pause of the process makes repeats. Too high: the events of a dead member wait that long
 * @param retention how long what nobody has acknowledged is kept, 10 min to 31 days (7 days). Too low: a subscriber that
 *     stands still loses events. Too high: storage
 * @param maxDeliveries after how many deliveries Pub/Sub itself moves a message to the dead letters, 5 to 100, or 0 for never
 *     (100). What a member had fetched and not begun counts too whenever it closes: too low takes that for poison
 * @param exactlyOnce whether Pub/Sub delivers a message no second time once it is acknowledged (false). Slower; and it knows
 *     messages, not events: one that is published again is another message
 */
public record SubscriptionSettings(Duration ackDeadline, Duration retention, int maxDeliveries, boolean exactlyOnce) {

    public static final SubscriptionSettings STANDARD =
            new SubscriptionSettings(Duration.ofSeconds(60), Duration.ofDays(7), 100, false);

    private static final Duration SHORTEST_DEADLINE = Duration.ofSeconds(10);
    private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(10);
    private static final Duration SHORTEST_RETENTION = Duration.ofMinutes(10);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(31);
    private static final int FEWEST_DELIVERIES = 5;
    private static final int MOST_DELIVERIES = 100;

    public SubscriptionSettings ackDeadline(Duration ackDeadline) {
        return new SubscriptionSettings(ackDeadline, retention, maxDeliveries, exactlyOnce);
    }

    public SubscriptionSettings retention(Duration retention) {
        return new SubscriptionSettings(ackDeadline, retention, maxDeliveries, exactlyOnce);
    }

    public SubscriptionSettings maxDeliveries(int maxDeliveries) {
        return new SubscriptionSettings(ackDeadline, retention, maxDeliveries, exactlyOnce);
    }

    public SubscriptionSettings exactlyOnce(boolean exactlyOnce) {
        return new SubscriptionSettings(ackDeadline, retention, maxDeliveries, exactlyOnce);
    }

    void addFaults(List<String> faults) {
        if (isOutside(ackDeadline, SHORTEST_DEADLINE, LONGEST_DEADLINE)) {
            faults.add("subscriptions.ackDeadline must be 10 s to 600 s, but is " + ackDeadline);
        }
        if (isOutside(retention, SHORTEST_RETENTION, LONGEST_RETENTION)) {
            faults.add("subscriptions.retention must be 10 min to 31 days, but is " + retention);
        }
        if (maxDeliveries != 0 && (maxDeliveries < FEWEST_DELIVERIES || maxDeliveries > MOST_DELIVERIES)) {
            faults.add("subscriptions.maxDeliveries must be 0 or 5 to 100, but is " + maxDeliveries);
        }
    }

    private static boolean isOutside(Duration value, Duration least, Duration most) {
        return value.compareTo(least) < 0 || value.compareTo(most) > 0;
    }
}
