package dev.posthorn.transports.postgreslog;

import dev.posthorn.event.PosthornException;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.StoreException;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A relay that begins as soon as the database lets it. Thread-safe. */
final class Membership {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration FIRST_LOOK = Duration.ofSeconds(5);

    private final Supplier<Relay> join;
    private final Thread thread;
    private final CompletableFuture<Optional<PosthornException>> firstTry = new CompletableFuture<>();
    private @Nullable Relay relay;
    private final FailureLog failures;
    private @Nullable String trouble = "not connected yet";
    private boolean closed;

    private Membership(String name, Supplier<Relay> join) {
        this.join = join;
        this.failures = new FailureLog(LOG, "Receiving", "subscriber=" + name);
        this.thread = Threads.daemon("posthorn-join-" + name, this::joinAtLast);
    }

    /**
     * Begins, and waits a little: what is wrong for good is thrown, and a database that answers has the route when this
     * returns.
     */
    static Membership begin(String name, Supplier<Relay> join) {
        Membership membership = new Membership(name, join);
        membership.thread.start();
        try {
            Optional<PosthornException> refusal = membership.firstTry.get(FIRST_LOOK.toMillis(), TimeUnit.MILLISECONDS);
            if (refusal.isPresent()) {
                membership.close(Duration.ZERO);
                throw refusal.get();
            }
        } catch (TimeoutException | ExecutionException slow) {
            LOG.debug("The database is slow to answer; going on without waiting", slow);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        return membership;
    }

    private void joinAtLast() {
        Duration pause = FIRST_PAUSE;
        while (!triedWell()) {
            LockSupport.parkNanos(pause.toNanos());
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** Returns whether there is nothing more to try. */
    private boolean triedWell() {
        if (isClosed()) {
            return true;
        }
        try {
            started(join.get());
            firstTry.complete(Optional.empty());
            return true;
        } catch (StoreException outOfReach) {
            failed(String.valueOf(outOfReach.getMessage()));
            firstTry.complete(Optional.empty());
        } catch (PosthornException refused) {
            failed(String.valueOf(refused.getMessage()));
            firstTry.complete(Optional.of(refused));
        } catch (RuntimeException unexpected) {
            failed(unexpected.toString());
            firstTry.complete(Optional.empty());
        }
        return false;
    }

    private void started(Relay begun) {
        boolean late;
        synchronized (this) {
            late = closed;
            relay = begun;
            trouble = null;
        }
        failures.recovered();
        if (late) {
            begun.close(Duration.ZERO);
        }
    }

    private synchronized void failed(String why) {
        failures.failed(why);
        trouble = why;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    synchronized Optional<Relay> relay() {
        return Optional.ofNullable(relay);
    }

    /** Why nothing comes, if so. */
    Optional<String> trouble() {
        Optional<Relay> running = relay();
        if (running.isPresent()) {
            return running.get().status().outage();
        }
        synchronized (this) {
            return Optional.ofNullable(trouble);
        }
    }

    void wakeUp() {
        relay().ifPresent(Relay::wakeUp);
    }

    /** Writes what is done, waiting so long for what is not, and gives the lanes back. */
    void close(Duration patience) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        LockSupport.unpark(thread);
        relay().ifPresent(running -> running.close(patience));
    }
}
