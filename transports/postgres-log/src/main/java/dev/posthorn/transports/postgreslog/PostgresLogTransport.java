package dev.posthorn.transports.postgreslog;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The log as a bus: what is in it is published already, and a subscriber is a route with a cursor of its own.
 *
 * <p>An application whose events are in this log needs no publisher: it emits, and calls {@link #wakeUp} after the commit if
 * the subscribers of this process shall not wait for their next look. The publisher is for bringing events from elsewhere, such as
 * from the log of another database.
 *
 * <p>Thread-safe. The data source stays the caller's.
 */
public final class PostgresLogTransport implements Bus, SubscriberCheck {

    /** As it stands in configuration. */
    public static final String NAME = "postgres-log";

    private final LogDatabase database;
    private final PostgresLogConfig config;
    private final List<LogMember> members = new CopyOnWriteArrayList<>();
    private final List<Publisher> publishers = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private PostgresLogTransport(LogDatabase database, PostgresLogConfig config) {
        this.database = database;
        this.config = config;
    }

    /** A bus over this log. Connects lazily. */
    public static PostgresLogTransport over(LogDatabase database, PostgresLogConfig config) {
        return new PostgresLogTransport(database, config);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, true, false, config.maxPayloadBytes(), Duration.ZERO);
    }

    /**
     * Writes events into the log, each once however often it is published: an id that is there already is accepted and
     * changes nothing.
     */
    @Override
    public Duration ackDeadline() {
        return Duration.ZERO;
    }

    @Override
    public Publisher publisher() {
        LogPublisher publisher = new LogPublisher(new LogWriter(database), config, this::wakeUp, publishers::remove);
        publishers.add(publisher);
        return publisher;
    }

    /** A new subscriber begins where the configuration says, by default with the oldest event that is kept. */
    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        return added(new LogSubscription(subscriber, receiver, relaysOf(subscriber), members::remove));
    }

    /**
     * The same for a receiver whose effects are in the log's own database: they are committed together with the subscriber's
     * position, so that each event has its effect exactly once, without an inbox.
     *
     * <p>The concurrency is that of transactions, each on some of the lanes; there is no prefetch to choose. All members of
     * the subscriber must be of this kind.
     */
    public Subscription subscribeInTransaction(Subscriber subscriber, TransactionalReceiver receiver) {
        return added(new TransactionalSubscription(subscriber, receiver, relaysOf(subscriber), members::remove));
    }

    private MemberRelays relaysOf(Subscriber subscriber) {
        if (closed) {
            throw new PosthornException(
                    "Subscriber " + subscriber.name() + " can not be added: the transport is closed.");
        }
        return new MemberRelays(config.routeOf(subscriber), database.routes(), config);
    }

    private LogMember added(LogMember member) {
        members.add(member);
        return member;
    }

    /** Names the log if it has no live route: a subscriber is one. */
    @Override
    public Set<String> unsubscribed(Set<String> destinations) {
        boolean heard = database.routes().hasLiveRoute();
        config.provision().found(DestinationKind.LOG, NAME);
        return heard ? Set.of() : Set.of(NAME);
    }

    /** Something was committed: subscribers of this transport look at once instead of at their next poll. Never blocks. */
    public void wakeUp() {
        members.forEach(LogMember::wakeUp);
    }

    @Override
    public void close() {
        closed = true;
        members.forEach(LogMember::close);
        publishers.forEach(Publisher::close);
    }
}
