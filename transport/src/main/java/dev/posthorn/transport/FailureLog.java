package dev.posthorn.transport;

import dev.posthorn.event.Failure;
import dev.posthorn.event.PosthornException;
import dev.posthorn.event.StorableText;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;

/**
 * Logs the failures of one repeated activity: the first one, then at growing intervals with the number of those in between,
 * then the recovery.
 *
 * <p>A reason that is new within an outage is logged at once, up to {@value #MOST_REASONS} of them; numbers in it do not make
 * it new. An activity that fails and recovers in turns is logged at growing intervals, too. Several threads may share one
 * log: it recovers when the last of them does. Failures and recoveries are one line each. Stack traces are logged at debug.
 * Thread-safe.
 */
public final class FailureLog {

    private static final Duration FIRST_INTERVAL = Duration.ofSeconds(10);
    private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(10);
    /** An activity that works for this long has recovered for good: its next failure is a first one. */
    private static final Duration LONGEST_RELAPSE = Duration.ofMinutes(1);

    private static final int MOST_REASONS = 5;
    private static final String WHOLE = "";
    private static final Pattern NUMBERS = Pattern.compile("[0-9a-fA-F]*[0-9][0-9a-fA-F]*");

    private final Logger log;
    private final String activity;
    private final String ids;
    private final LongSupplier nanos;
    private final Set<String> reasons = new HashSet<>();
    private final Set<String> parts = new HashSet<>();
    private volatile boolean failing;
    private boolean announced;
    private boolean logged;
    private long since;
    private long failures;
    private long suppressed;
    private long lastFailure;
    private long lastLine;
    private Duration interval = FIRST_INTERVAL;

    /**
     * Logs to this logger.
     *
     * @param activity a noun phrase that begins a sentence, as in "Publishing" or "The renewal of leases"
     * @param ids what the activity belongs to, as {@code route=orders relay=a}; may be empty
     */
    public FailureLog(Logger log, String activity, String ids) {
        this(log, activity, ids, System::nanoTime);
    }

    FailureLog(Logger log, String activity, String ids, LongSupplier nanos) {
        this.log = log;
        this.activity = activity;
        this.ids = ids.isEmpty() ? "" : " " + ids;
        this.nanos = nanos;
    }

    /** The activity failed with this. */
    public void failed(Throwable cause) {
        failed(WHOLE, cause);
    }

    /** This part of the activity failed with this; the activity works again once all of its parts do. */
    public void failed(String part, Throwable cause) {
        failed(part, reasonOf(cause), rootOf(cause));
        log.debug("{} failed{}", activity, ids, Failure.loggable(cause));
    }

    /** The activity failed on one of many things, with this; another thing does not make the reason new. */
    public void failedOn(Object thing, Throwable cause) {
        failed(WHOLE, thing + ": " + reasonOf(cause), rootOf(cause));
        log.debug("{} failed on {}{}", activity, thing, ids, Failure.loggable(cause));
    }

    /** The activity failed for this reason. */
    public void failed(String reason) {
        failed(WHOLE, reason, reason);
    }

    /** This part of the activity failed for this reason. */
    public void failed(String part, String reason) {
        failed(part, reason, reason);
    }

    /** This part of the activity is failing for this reason. Every look at it may say so: one outage is one failure. */
    public synchronized void lasting(String part, String reason) {
        failed(part, reason, reason, parts.contains(part) ? 0 : 1);
    }

    private void failed(String part, String reason, String root) {
        failed(part, reason, root, 1);
    }

    private synchronized void failed(String part, String reason, String root, int count) {
        long now = nanos.getAsLong();
        if (!failing) {
            begin(now);
        }
        parts.add(part);
        failures += count;
        lastFailure = now;
        boolean due = !logged || now - lastLine >= interval.toNanos();
        boolean unheard = reasons.size() < MOST_REASONS
                && reasons.add(NUMBERS.matcher(root).replaceAll("#"));
        if (!due && !unheard) {
            suppressed += count;
            return;
        }
        if (logged && due) {
            interval = shorter(interval.multipliedBy(2), LONGEST_INTERVAL);
        }
        log.warn("{} failed: {}{}{}", activity, reason, ids, counts(now));
        logged = true;
        announced = true;
        lastLine = now;
        suppressed = 0;
    }

    private void begin(long now) {
        if (logged && now - lastFailure >= shorter(interval, LONGEST_RELAPSE).toNanos()) {
            logged = false;
            interval = FIRST_INTERVAL;
            suppressed = 0;
            reasons.clear();
        }
        failing = true;
        announced = false;
        since = now;
        failures = 0;
    }

    private String counts(long now) {
        if (failures == 1 && suppressed == 0) {
            return now == since ? "" : " for=" + text(now - since);
        }
        return " failures=" + failures + " suppressed=" + suppressed + " for=" + text(now - since);
    }

    /** The activity worked. Costs next to nothing unless it failed before. */
    public void recovered() {
        recovered(WHOLE);
    }

    /** This part of the activity worked. */
    public void recovered(String part) {
        if (failing) {
            recover(part);
        }
    }

    private synchronized void recover(String part) {
        if (!parts.remove(part) || !parts.isEmpty()) {
            return;
        }
        if (announced) {
            log.info(
                    "{} works again{} failures={} lasted={}", activity, ids, failures, text(nanos.getAsLong() - since));
        }
        failing = false;
    }

    /** Returns whether the activity failed the last time. */
    public boolean isFailing() {
        return failing;
    }

    /** The message of one of our own exceptions is a sentence; others need their class to be understood. */
    private static String reasonOf(Throwable cause) {
        return cause instanceof PosthornException && cause.getMessage() != null
                ? StorableText.remark(cause.getMessage())
                : Outcome.reasonOf(cause);
    }

    /** Different things that fail for the same cause are one outage. */
    private static String rootOf(Throwable cause) {
        List<Throwable> chain = Failure.chainOf(cause);
        return Outcome.reasonOf(chain.get(chain.size() - 1));
    }

    private static String text(long nanos) {
        long millis = nanos / 1_000_000;
        return millis < 10_000 ? millis + "ms" : millis / 1_000 + "s";
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
