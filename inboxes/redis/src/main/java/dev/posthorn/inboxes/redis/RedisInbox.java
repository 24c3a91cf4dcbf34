package dev.posthorn.inboxes.redis;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.inbox.UnitOfWork;
import dev.posthorn.inbox.Units;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Threads;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An inbox in Redis, for effects that are elsewhere: an event is claimed for a while, its effect happens, it is marked as done.
 *
 * <p>An effect happens at least once, and once unless a process ends between the effect and the mark, a process stands still for
 * longer than its lease, or Redis loses its data. It is never lost: nothing is marked before its effect is there.
 *
 * <p>While Redis is out of reach nothing is handled. Thread-safe.
 *
 * @param <T> what handlers work in
 */
public final class RedisInbox<T> implements Inbox<T>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisInbox.class);
    private static final int RENEWALS_IN_A_LEASE = 3;

    private final Redis redis;
    private final Keys keys;
    private final Marks marks;
    private final RenewStep renewals;
    private final Function<Claim, UnitOfWork<T>> units;
    private final Function<Throwable, Trouble> troubles;
    private final RedisInboxConfig config;
    private final ScheduledThreadPoolExecutor keeper;
    private final FailureLog failures = new FailureLog(LOG, "The renewal of claims", "inbox=redis");
    private volatile boolean looked;

    private RedisInbox(
            RedisInboxConfig config, Function<Claim, UnitOfWork<T>> units, Function<Throwable, Trouble> troubles) {
        this.config = config;
        this.redis = new Redis(config.uri(), config.client(), config.timing().answer());
        this.keys = new Keys(config.prefix());
        this.renewals = new RenewStep(redis, config.timing().lease());
        this.marks = new Marks(redis, config, renewals);
        this.units = units;
        this.troubles = troubles;
        this.keeper = new ScheduledThreadPoolExecutor(1, work -> Threads.daemon("posthorn-inbox-redis", work));
        long every = config.timing().lease().dividedBy(RENEWALS_IN_A_LEASE).toNanos();
        var unused = keeper.scheduleWithFixedDelay(this::keep, 0, every, TimeUnit.NANOSECONDS);
    }

    /** For handlers that call out. Connects by itself, and again when the connection is lost. */
    public static RedisInbox<Claim> open(RedisInboxConfig config) {
        return new RedisInbox<>(config, RedisInboxSession.Apart::new, RedisInbox::troubleApart);
    }

    /**
     * For handlers that work in something of their own, such as transactions of another database: that is kept before an event
     * is marked, and not at all if the claim on it was lost. Another inbox will do as well, for its units of work.
     */
    public static <T> RedisInbox<T> around(RedisInboxConfig config, Units<T> units) {
        return new RedisInbox<>(config, claim -> units.begin(), units::troubleOf);
    }

    private static Trouble troubleApart(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InboxException) {
                return Trouble.OUTAGE;
            }
        }
        return Trouble.LASTING;
    }

    /** All that a consumer needs without a database: its dead letters are the transport's own. */
    public Equipment<T> equipment() {
        return new Equipment<>(this, DeadLetterChain.transport(), consumers());
    }

    /** What members of consumers tell of themselves here. */
    public RedisConsumers<T> consumers() {
        return new RedisConsumers<>(redis, keys);
    }

    /**
     * What is done once.
     *
     * @param <T> what it works in
     */
    @FunctionalInterface
    public interface Work<T> {
        void run(T transaction) throws Exception;
    }

    /**
     * The smallest form, for people with their own loop: does the work unless this consumer has done it for this event. Waits
     * while another one is at it.
     *
     * <p>Whatever the work throws is passed on, and the event may come again. Throws {@link InboxException} if Redis is out of
     * reach, or if another one has the event for too long: give it back.
     *
     * @return whether the work was done now; false if it was before
     */
    public boolean once(String consumer, UUID event, Work<T> work) throws Exception {
        try (InboxSession<T> session = begin()) {
            if (session.firstTimes(new HandlerId(consumer, Keys.ONLY), Set.of(event))
                    .isEmpty()) {
                return false;
            }
            work.run(session.transaction());
            session.commit();
            return true;
        }
    }

    @Override
    public InboxSession<T> begin() {
        Claim claim = new Claim(config.timing().lease());
        return new RedisInboxSession<>(marks, claim, units.apply(claim));
    }

    @Override
    public Trouble troubleOf(Throwable failure) {
        return troubles.apply(failure);
    }

    /**
     * Forgets that this handler is done with an event, so that it is handled when it comes again: what a dead letter that is
     * reprocessed needs. False if it was not marked.
     */
    public boolean forget(HandlerId handler, UUID event) {
        return marks.forget(handler, event);
    }

    /**
     * What in the server's settings repeats effects; empty if nothing. Throws {@link InboxException} if Redis can not be
     * reached or does not tell.
     */
    public List<Risk> risks() {
        return ServerSettings.of(redis).risks();
    }

    /** How many sessions have claims now. */
    int claims() {
        return renewals.claims();
    }

    private void keep() {
        try {
            renewals.runOnce();
            failures.recovered();
        } catch (RuntimeException failed) {
            failures.failed(failed);
        }
        if (!looked) {
            look();
        }
    }

    /** Once, as soon as Redis answers, whatever that is. */
    private void look() {
        try {
            risks().forEach(risk -> LOG.warn("Redis can lose marks: {}. {}", risk.found(), risk.advice()));
            looked = true;
        } catch (InboxException unknown) {
            boolean refused = String.valueOf(unknown.getMessage()).contains("NOPERM");
            looked = refused;
            if (refused) {
                LOG.info(
                        "It is not known whether Redis keeps marks (maxmemory-policy should be noeviction): {}",
                        unknown.getMessage());
            }
        }
    }

    /** Ends the renewal of claims and the connection. Sessions that are open fail. */
    @Override
    public void close() {
        keeper.shutdownNow();
        redis.close();
    }
}
