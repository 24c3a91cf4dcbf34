package dev.posthorn.inbox;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.event.Failure;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles dead letters that were sent back to this consumer: straight from where they are kept, past any broker and its
 * windows, once, and in the order of their keys. One that fails is dead again at once.
 *
 * <p>A letter for which the store fails waits, each time longer, together with those of its key; the letters of other keys are
 * handled meanwhile. If the store fails for two letters in a row it is an outage, and the rest waits for the next look.
 *
 * @param <T> what handlers work in
 */
final class RedriveStep<T> {

    private static final Logger LOG = LoggerFactory.getLogger(RedriveStep.class);
    private static final int PAGE = 100;

    private final String consumer;
    private final ConsumerStore<T> store;
    private final Pipeline<T> pipeline;
    private final BiPredicate<Event, String> elsewhere;
    private final LetterSetbacks setbacks;
    private final FailureLog failures;

    /** With what says whether another member has a handler of a name for an event. */
    RedriveStep(
            String consumer,
            ConsumerStore<T> store,
            Pipeline<T> pipeline,
            BiPredicate<Event, String> elsewhere,
            LongSupplier nanoTime) {
        this.consumer = consumer;
        this.store = store;
        this.pipeline = pipeline;
        this.elsewhere = elsewhere;
        this.setbacks = new LetterSetbacks(nanoTime);
        this.failures = new FailureLog(LOG, "Redriving", "consumer=" + consumer);
    }

    /** How many it dealt with. */
    int runOnce() {
        List<Redriven> page = store.redriven(consumer, PAGE + setbacks.size());
        setbacks.keepOnly(page.stream().map(Redriven::letter).collect(Collectors.toSet()));
        int dealtWith = 0;
        boolean failedBefore = false;
        for (Redriven redriven : page) {
            if (setbacks.holds(redriven.letter()) || isForAnother(redriven)) {
                continue; // the store brings no other letter of its key meanwhile
            }
            @Nullable Throwable failed = tried(redriven);
            if (failed == null) {
                dealtWith++;
            } else if (failedBefore && failed instanceof InboxException outage) {
                throw outage;
            }
            failedBefore = failed != null;
        }
        return dealtWith;
    }

    /** Null, or what failed that is not the handler's. */
    private @Nullable Throwable tried(Redriven redriven) {
        UUID letter = redriven.letter();
        try {
            handle(redriven);
            setbacks.settled(letter);
            failures.recovered();
            return null;
        } catch (StoppedException end) {
            throw end;
        } catch (Throwable failed) { // whatever it is, the letters behind it must not wait for this one
            Duration unused = setbacks.failed(letter);
            failures.failed("dead letter " + letter + ": " + Failure.reasonOf(failed));
            LOG.debug("Dead letter {} could not be redriven", letter, Failure.loggable(failed));
            return failed;
        }
    }

    /** Whether only another member has the handler. */
    private boolean isForAnother(Redriven redriven) {
        try {
            Event event = read(redriven);
            return handlersOf(redriven, event).isEmpty() && elsewhere.test(event, redriven.handler());
        } catch (UndecodableException still) {
            return false;
        }
    }

    private static Event read(Redriven redriven) {
        return EventMessage.read(
                new Message(redriven.raw().headers(), redriven.raw().body()));
    }

    private List<Handlers.Named<T>> handlersOf(Redriven redriven, Event event) {
        return pipeline.handlers().of(event).stream()
                .filter(handler ->
                        redriven.handler().isEmpty() || handler.name().equals(redriven.handler()))
                .toList();
    }

    private void handle(Redriven redriven) {
        Event event;
        try {
            event = read(redriven);
        } catch (UndecodableException still) {
            store.deadAgain(redriven.letter(), String.valueOf(still.getMessage()));
            return;
        }
        List<Handlers.Named<T>> handlers = handlersOf(redriven, event);
        if (handlers.isEmpty()) {
            store.deadAgain(
                    redriven.letter(), "the consumer has no handler \"" + redriven.handler() + "\" for it any more");
            return;
        }
        for (int i = 0; i < handlers.size(); i++) {
            boolean last = i == handlers.size() - 1;
            if (!handled(redriven, handlers.get(i), event, last)) {
                return;
            }
        }
    }

    /** The last handler takes the letter in its own transaction. */
    private boolean handled(Redriven redriven, Handlers.Named<T> handler, Event event, boolean takes) {
        Handled handled = pipeline.step()
                .run(handler, event, 1, transaction -> !takes || store.take(transaction, redriven.letter()));
        return handled.reduce(new Handled.Cases<Boolean>() {
            @Override
            public Boolean done() {
                LOG.info("Dead letter {} is handled by {}", redriven.letter(), handler.name());
                return true;
            }

            @Override
            public Boolean again(Duration after, String reason) {
                store.deadAgain(redriven.letter(), reason);
                return false;
            }

            @Override
            public Boolean dead(Cause cause) {
                store.deadAgain(redriven.letter(), cause.reason());
                return false;
            }
        });
    }
}
