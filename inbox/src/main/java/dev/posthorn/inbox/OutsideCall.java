package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.CallStore.CallId;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An effect outside the database, such as a payment on a rail: claim → call → answer kept.
 *
 * <p>No database transaction reaches a remote system, so the call is made at least once: after a crash between the call
 * and its answer it is made again, with the same idempotency key, and the remote system must recognise that key. Beyond that
 * the call is not repeated: an answer is kept in a transaction of its own, so a handler that fails afterwards, or an event that
 * comes again, gets the answer of before; and two processes do not call at the same time while the claim lasts.
 *
 * <p>Uses a connection beside that of the handler. Thread-safe.
 */
public final class OutsideCall {

    private static final Logger LOG = LoggerFactory.getLogger(OutsideCall.class);

    /** The remote operation. */
    @FunctionalInterface
    public interface Remote {

        /**
         * Makes the call with this key, the event's id, and returns what is to be remembered, such as a reference. Must have a
         * time-out shorter than the lease.
         *
         * @throws Exception if it was not done, or nobody knows; the next attempt calls again with the same key
         */
        String call(String idempotencyKey) throws Exception;
    }

    private final String name;
    private final CallStore store;
    private final Duration lease;

    /**
     * A remote operation.
     *
     * @param name stable for ever: under another name all calls are made again
     * @param lease how long one process keeps others from calling. Too short, and two call at the same time; too long, and
     *     what a dead process began waits for long
     */
    public OutsideCall(String name, CallStore store, Duration lease) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The remote operation has no name. Give it one that never changes.");
        }
        if (lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("The lease of " + name + " is " + lease + "; it must be positive.");
        }
        this.name = name;
        this.store = store;
        this.lease = lease;
    }

    /**
     * Makes the call for this event, or returns what was answered before.
     *
     * @throws CallTakenException if another process may be calling; a consumer brings the event again after that time
     * @throws Exception what the remote threw
     */
    public String once(Event event, Remote remote) throws Exception {
        CallId call = new CallId(name, event.id());
        UUID token = UUID.randomUUID();
        Optional<String> before = store.claim(call, token, lease)
                .reduce(Optional.<String>empty(), Optional::of, left -> {
                    throw new CallTakenException(call, left);
                });
        return before.isPresent() ? before.get() : made(call, token, remote);
    }

    private String made(CallId call, UUID token, Remote remote) throws Exception {
        String answer;
        try {
            answer = remote.call(call.event().toString());
        } catch (Throwable failed) {
            release(call, token);
            throw failed;
        }
        if (!store.answered(call, token, answer)) {
            LOG.warn(
                    "The call {} for event {} took longer than its lease of {}, and another was made meanwhile. Make the lease"
                            + " longer than the call can take.",
                    name,
                    call.event(),
                    lease);
        }
        return answer;
    }

    /** Without it the next attempt waits until the claim has run out, which is all that is lost. */
    private void release(CallId call, UUID token) {
        try {
            store.release(call, token);
        } catch (InboxException away) {
            LOG.debug("A claim of {} for event {} stays until it runs out", name, call.event(), away);
        }
    }
}
