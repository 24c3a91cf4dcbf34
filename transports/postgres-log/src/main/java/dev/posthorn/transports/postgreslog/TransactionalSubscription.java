package dev.posthorn.transports.postgreslog;

import dev.posthorn.relay.Relay;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A member whose effects are in the log's own database: as many relays as its concurrency says, each with lanes and
 * a transaction of its own.
 */
final class TransactionalSubscription implements LogMember {

    private final Subscriber subscriber;
    private final TransactionalReceiver receiver;
    private final Consumer<LogMember> whenClosed;
    private final List<Membership> memberships = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private volatile @Nullable String lastFailure;

    TransactionalSubscription(
            Subscriber subscriber,
            TransactionalReceiver receiver,
            MemberRelays relays,
            Consumer<LogMember> whenClosed) {
        this.subscriber = subscriber;
        this.receiver = receiver;
        this.whenClosed = whenClosed;
        try {
            for (int i = 0; i < subscriber.limits().concurrency(); i++) {
                memberships.add(
                        Membership.begin(subscriber.name() + "-" + i, () -> relays.handling(subscriber, this::handle)));
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private Outcome handle(Publication publication, Connection connection) throws Exception {
        if (!subscriber.wants(publication.event())) {
            return Outcome.accepted();
        }
        try {
            return receiver.receive(publication.event(), publication.attempt(), connection)
                    .reduce(new ToOutcome());
        } catch (Exception thrown) {
            retried.incrementAndGet();
            lastFailure = Outcome.reasonOf(thrown);
            throw thrown;
        }
    }

    /** What the route makes of a verdict. */
    private final class ToOutcome implements Verdict.Cases<Outcome> {

        @Override
        public Outcome done() {
            done.incrementAndGet();
            lastFailure = null;
            return Outcome.accepted();
        }

        @Override
        public Outcome retry(Duration after, String reason) {
            retried.incrementAndGet();
            lastFailure = reason;
            return Outcome.failed(reason, after);
        }

        @Override
        public Outcome reject(String reason) {
            rejected.incrementAndGet();
            lastFailure = reason;
            return Outcome.refused(reason);
        }
    }

    @Override
    public Subscriber subscriber() {
        return subscriber;
    }

    /** Verdicts of transactions that were rolled back, because a member was lost with them, count too. */
    @Override
    public Status status() {
        Optional<String> trouble = memberships.stream()
                .flatMap(membership -> membership.trouble().stream())
                .findFirst()
                .or(() -> Optional.ofNullable(lastFailure));
        int unsettled = memberships.stream()
                .flatMap(membership -> membership.relay().stream())
                .map(Relay::status)
                .mapToInt(relay -> relay.inFlight())
                .sum();
        return new Status(new Totals(done.get(), retried.get(), rejected.get(), 0), unsettled, trouble);
    }

    @Override
    public void wakeUp() {
        memberships.forEach(Membership::wakeUp);
    }

    @Override
    public void close() {
        Duration patience = subscriber.limits().drainTime();
        List<Thread> closing = memberships.stream()
                .map(membership -> new Thread(() -> membership.close(patience), "posthorn-leave-" + subscriber.name()))
                .toList();
        closing.forEach(Thread::start);
        try {
            for (Thread thread : closing) {
                thread.join();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        whenClosed.accept(this);
    }
}
