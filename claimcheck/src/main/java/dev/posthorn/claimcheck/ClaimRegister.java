package dev.posthorn.claimcheck;

import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Which events refer to which payloads, as the database knows it: what tells an orphan from a payload that is needed.
 *
 * <p>Between a registration and the end of its transaction no {@link #sweep} of the payload begins, and while one runs a
 * registration waits, also if the session of the sweep is lost. So whoever registers first and puts the payload after that can
 * not lose it, however long its transaction takes. Thread-safe; a connection is not.
 *
 * <p>Every method throws {@link dev.posthorn.event.PosthornException} if the database can not do it.
 */
public interface ClaimRegister {

    /**
     * Registers in the transaction of the connection, in one round trip. Again for the same event makes it new.
     *
     * @throws dev.posthorn.outbox.NoTransactionException if the connection commits every statement by itself
     */
    void register(Connection connection, Collection<Claim> claims);

    /** Registers in a transaction of its own, which is committed when this returns. */
    void register(Claim claim);

    /**
     * Payloads that were registered longer ago than this and to which nothing in this database refers any more: no event in
     * the log, none that was archived, no dead letter that may be redriven. In the order of their keys, after this one.
     */
    List<PayloadKey> released(Optional<PayloadKey> after, Duration kept, int most);

    /** Those of which the register has never heard: orphans, or part of a transaction that has not ended. */
    Set<PayloadKey> unknown(Collection<PayloadKey> keys);

    /**
     * Removes a payload unless it is needed: holds off registrations of it, looks once more whether it is released or
     * unknown, and then calls the removal with the events that referred to it. What is known of it goes if that answers true.
     *
     * @return whether it was removed; false also if somebody is just registering it
     */
    boolean sweep(PayloadKey key, Duration kept, Predicate<Set<UUID>> removal);
}
