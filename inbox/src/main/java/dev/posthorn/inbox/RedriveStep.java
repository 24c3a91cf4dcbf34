package dev.posthorn.inbox;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles dead letters that were sent back to this consumer: straight from where they are kept, past any broker and its
 * windows, once, and in the order of their keys. One that fails is dead again at once.
 *
 * @param <T> what handlers work in
 */
final class RedriveStep<T> {

    private static final Logger LOG = LoggerFactory.getLogger(RedriveStep.class);
    private static final int PAGE = 100;

    private final String consumer;
    private final ConsumerStore<T> store;
    private final Pipeline<T> pipeline;

    RedriveStep(String consumer, ConsumerStore<T> store, Pipeline<T> pipeline) {
        this.consumer = consumer;
        this.store = store;
        this.pipeline = pipeline;
    }

    /** How many it dealt with. */
    int runOnce() {
        List<Redriven> page = store.redriven(consumer, PAGE);
        page.forEach(this::handle);
        return page.size();
    }

    private void handle(Redriven redriven) {
        try {
            Event event = EventMessage.read(
                    new Message(redriven.raw().headers(), redriven.raw().body()));
            List<Handlers.Named<T>> handlers = pipeline.handlers().of(event).stream()
                    .filter(handler ->
                            redriven.handler().isEmpty() || handler.name().equals(redriven.handler()))
                    .toList();
            if (handlers.isEmpty()) {
                store.deadAgain(
                        redriven.letter(),
                        "the consumer has no handler \"" + redriven.handler() + "\" for it any more");
                return;
            }
            for (int i = 0; i < handlers.size(); i++) {
                boolean last = i == handlers.size() - 1;
                if (!handled(redriven, handlers.get(i), event, last)) {
                    return;
                }
            }
        } catch (UndecodableException still) {
            store.deadAgain(redriven.letter(), String.valueOf(still.getMessage()));
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
