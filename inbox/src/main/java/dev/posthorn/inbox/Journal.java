package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.HandoverStore.MemberId;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What a member has done, for its reports. Thread-safe. */
final class Journal {

    private final Clock clock;
    private final LongAdder handled = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder dead = new LongAdder();
    private final LongAdder handedOver = new LongAdder();
    private final UnhandledCounts unhandled = new UnhandledCounts();
    private final Samples lags = new Samples();
    private final Samples times = new Samples();
    private volatile @Nullable String trouble;

    Journal(Clock clock) {
        this.clock = clock;
    }

    Clock clock() {
        return clock;
    }

    /** One handler is through with it, in this time. */
    void handled(Event event, Duration took) {
        handled.increment();
        times.add(took);
        lags.add(Duration.between(event.occurredAt(), clock.instant()));
        trouble = null;
    }

    void skipped() {
        skipped.increment();
    }

    void retried(String reason) {
        retried.increment();
        trouble = reason;
    }

    void dead(String reason) {
        dead.increment();
        trouble = reason;
    }

    void handedOver() {
        handedOver.increment();
    }

    void unhandled(Event event) {
        unhandled.add(event.type());
    }

    UnhandledCounts unhandled() {
        return unhandled;
    }

    void outage(String reason) {
        trouble = reason;
    }

    Duration handlerP99() {
        return times.quantile(0.99);
    }

    /** What is wrong elsewhere is told before what was wrong here, and that before what may go wrong. */
    ConsumerReport report(
            MemberId member,
            Optional<String> elsewhere,
            Optional<String> warning,
            ConsumerReport.Registration registration) {
        return new ConsumerReport(
                member.consumer(),
                member.member(),
                new ConsumerReport.Totals(
                        handled.sum(), skipped.sum(), retried.sum(), dead.sum(), handedOver.sum(), unhandled.total()),
                new ConsumerReport.Lag(lags.quantile(0.5), lags.quantile(0.99)),
                handlerP99(),
                elsewhere.or(() -> Optional.ofNullable(trouble)).or(() -> warning),
                registration);
    }
}
