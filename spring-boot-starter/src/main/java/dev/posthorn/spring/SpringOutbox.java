package dev.posthorn.spring;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.NoTransactionException;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An outbox that emits in the transaction of Spring's that runs on the calling thread, whoever began it: {@code @Transactional},
 * a {@code TransactionTemplate}, or the handler of an event.
 *
 * <p>After the commit the relay of this process is woken. Thread-safe.
 */
public final class SpringOutbox implements Outbox {

    private final Outbox outbox;
    private final SpringTransactions transactions;
    private final Runnable wakeUp;

    SpringOutbox(Outbox outbox, SpringTransactions transactions, Runnable wakeUp) {
        this.outbox = outbox;
        this.transactions = transactions;
        this.wakeUp = wakeUp;
    }

    /** Emits these events in the current transaction, or throws {@link NoTransactionException} if there is none. */
    public Emission emit(Event... events) {
        return emit(List.of(events));
    }

    /**
     * The same with options, all but {@link EmitOption#WITH_COMMIT}: the transaction is Spring's to end.
     *
     * @throws NoTransactionException if there is no transaction, or it is not one of the data source with the log
     */
    public Emission emit(Collection<Event> events, EmitOption... options) {
        if (Arrays.asList(options).contains(EmitOption.WITH_COMMIT)) {
            throw new PosthornException(
                    "Nothing was emitted: WITH_COMMIT would end a transaction that Spring ends. Leave"
                            + " it out, or emit with a connection of your own.");
        }
        Emission emission = outbox.emit(transactions.current(), events, options);
        wakeUpAfterCommit();
        return emission;
    }

    @Override
    public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
        Emission emission = outbox.emit(connection, events, options);
        if (Arrays.asList(options).contains(EmitOption.WITH_COMMIT)) {
            wakeUp.run();
        } else {
            wakeUpAfterCommit();
        }
        return emission;
    }

    @Override
    public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
        Commit committed = outbox.commit(connection, change, events, options);
        wakeUp.run();
        return committed;
    }

    /** Once for each transaction, however often it emits. On a connection that Spring knows nothing of, the relay looks by itself. */
    private void wakeUpAfterCommit() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        boolean registered = TransactionSynchronizationManager.getSynchronizations().stream()
                .anyMatch(known -> known instanceof WakeUp other && other.action() == wakeUp);
        if (!registered) {
            TransactionSynchronizationManager.registerSynchronization(new WakeUp(wakeUp));
        }
    }

    private record WakeUp(Runnable action) implements TransactionSynchronization {
        @Override
        public void afterCommit() {
            action.run();
        }
    }
}
