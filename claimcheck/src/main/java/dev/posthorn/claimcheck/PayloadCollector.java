package dev.posthorn.claimcheck;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Removes payloads that nobody needs: those whose events are gone, and orphans, which no event has ever referred to because
 * the transaction that put them was rolled back.
 *
 * <p>How it never takes one that is needed. Whoever refers to a payload registers that first, in the transaction of the
 * event, and puts the payload after it. A registration holds a shared lock on the payload until its transaction ends; a sweep
 * takes the same lock alone, without waiting, looks at the register, the log and the dead letters once more, and leaves a mark
 * before it lets go. So either the sweep finds the lock taken and leaves the payload for the next time, or all that was
 * registered is committed and seen, or the registration finds the mark and waits, and its put comes after the removal. This
 * holds for a transaction of any length, for two events with the same payload, and for a collector that loses its session or
 * dies at any point: a mark is not lost with a session, and holds until the removal is over, at most for a time that is longer
 * than a store waits for its answers. Where events are archived, the row of the register is marked in the transaction that
 * removes them from the log.
 *
 * <p>Two times come on top of it. The first, {@code kept}, is for what no database knows: messages that a broker still has, and
 * dead letters elsewhere. The second, {@code grace}, is the least age of anything that is removed, against clocks and
 * databases that were restored.
 *
 * <p>A store belongs to one register. A second log that put its payloads into the same folder or prefix would lose them.
 *
 * <p>Not thread-safe, but several may run at once in different processes.
 */
public final class PayloadCollector {

    private static final int PAGE = 500;

    /**
     * How long payloads are kept.
     *
     * @param kept after an event was registered, whatever became of it; by default 14 days, which is what SQS keeps a message
     *     at most. Too low: a consumer that lags finds no payload. Too high: storage
     * @param grace after it was written, by default one day
     */
    public record Limits(Duration kept, Duration grace) {

        public static final Limits DEFAULT = new Limits(Duration.ofDays(14), Duration.ofDays(1));

        public Limits {
            if (kept.isNegative() || grace.isNegative()) {
                throw new IllegalArgumentException("kept and grace must not be negative");
            }
        }
    }

    /**
     * What a run removed, or would remove.
     *
     * @param released whose events are gone
     * @param orphans to which no event refers
     * @param bytes of the orphans; of the others they are not known
     */
    public record Report(long released, long orphans, long bytes) {}

    private final PayloadStore store;
    private final ClaimRegister register;
    private final Limits limits;
    private final Clock clock;
    private final List<PayloadHolder> holders;

    public PayloadCollector(PayloadStore store, ClaimRegister register, Limits limits, Clock clock) {
        this(store, register, limits, clock, List.of());
    }

    private PayloadCollector(
            PayloadStore store, ClaimRegister register, Limits limits, Clock clock, List<PayloadHolder> holders) {
        this.store = store;
        this.register = register;
        this.limits = limits;
        this.clock = clock;
        this.holders = List.copyOf(holders);
    }

    /** Also keeps what this one needs, such as the dead letters of a consumer with a database of its own. */
    public PayloadCollector sparing(PayloadHolder holder) {
        List<PayloadHolder> more = new ArrayList<>(holders);
        more.add(holder);
        return new PayloadCollector(store, register, limits, clock, more);
    }

    /** Removes what may go. */
    public Report runOnce() {
        Instant old = clock.instant().minus(limits.grace());
        return run(key -> register.sweep(key, limits.kept(), events -> isFree(events) && store.remove(key, old)));
    }

    /** Tells what may go, and removes nothing. Those that other holders need are among it. */
    public Report look() {
        return run(key -> true);
    }

    /** What is done with one that may go; whether it is gone. */
    private interface Step {
        boolean take(PayloadKey key);
    }

    private Report run(Step step) {
        long released = 0;
        Optional<PayloadKey> last = Optional.empty();
        List<PayloadKey> page;
        do {
            page = register.released(last, limits.kept(), PAGE);
            for (PayloadKey key : page) {
                released += step.take(key) ? 1 : 0;
                last = Optional.of(key);
            }
        } while (page.size() == PAGE);
        Orphans orphans = new Orphans(step, clock.instant().minus(limits.grace()));
        store.each(orphans::add);
        orphans.flush();
        return new Report(released, orphans.taken, orphans.bytes);
    }

    private boolean isFree(Set<UUID> events) {
        for (PayloadHolder holder : holders) {
            if (!events.isEmpty() && !holder.holding(events).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Asks the register about a page at a time. */
    private final class Orphans {

        private final Step step;
        private final Instant old;
        private final Map<PayloadKey, Long> page = new HashMap<>();
        private long taken;
        private long bytes;

        Orphans(Step step, Instant old) {
            this.step = step;
            this.old = old;
        }

        void add(StoredPayload stored) {
            if (!stored.writtenAt().isBefore(old)) {
                return;
            }
            page.put(stored.key(), stored.length());
            if (page.size() == PAGE) {
                flush();
            }
        }

        void flush() {
            if (page.isEmpty()) {
                return;
            }
            for (PayloadKey key : register.unknown(page.keySet())) {
                long size = page.getOrDefault(key, 0L);
                if (step.take(key)) {
                    taken++;
                    bytes += size;
                }
            }
            page.clear();
        }
    }
}
