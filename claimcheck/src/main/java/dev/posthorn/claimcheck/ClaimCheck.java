package dev.posthorn.claimcheck;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.inbox.EventHandler;

/**
 * Gives handlers the payload that an event refers to. Owned by a consumer; needs no database. Thread-safe.
 *
 * <p>Fetched right before the handler, so not for what is a duplicate or of no interest; compared with the length and the
 * SHA-256 in the reference; remembered for the next handler of the event.
 */
public final class ClaimCheck {

    private final PayloadStore store;
    private final ClaimCheckConfig config;
    private final PayloadCache cache;

    public ClaimCheck(PayloadStore store, ClaimCheckConfig config) {
        this.store = store;
        this.config = config;
        this.cache = new PayloadCache(config.cacheBytes());
    }

    /**
     * A handler that sees payloads where there were references, for {@link dev.posthorn.inbox.Handlers#around}.
     *
     * <p>A payload that is missing, tampered with or too large makes the event a dead letter at once, with the cause {@code
     * payload-retrieval-failed}: put right, it can be redriven. A store that does not answer is tried again as any failure of a
     * handler.
     */
    public <T> EventHandler<T> around(EventHandler<T> handler) {
        return (event, transaction) -> {
            Event whole;
            try {
                whole = fetch(event);
            } catch (PayloadRetrievalException lost) {
                throw new DeadLetterException(new Cause.PayloadRetrievalFailed(String.valueOf(lost.getMessage())));
            }
            return handler.handle(whole, transaction);
        };
    }

    /**
     * The event with its payload; the same event if it has it. For whoever receives in a loop of their own.
     *
     * @throws PayloadRetrievalException if the payload is missing, tampered with, or larger than allowed
     * @throws PayloadStoreException if the store does not answer; later it may
     */
    public Event fetch(Event event) {
        if (!PayloadReference.isIn(event)) {
            return event;
        }
        PayloadReference reference = PayloadReference.read(event)
                .orElseThrow(() -> new PayloadRetrievalException(
                        "The reference to the payload of " + event + " is malformed. Find out who wrote it."));
        return event.withPayload(contentOf(event, reference), reference.contentType());
    }

    private byte[] contentOf(Event event, PayloadReference reference) {
        if (reference.length() > config.maxPayloadBytes()) {
            throw new PayloadRetrievalException("The payload of " + event + " has " + reference.length()
                    + " bytes and the limit is " + config.maxPayloadBytes()
                    + ". Raise maxPayloadBytes of the claim check if that is wanted, then redrive.");
        }
        return cache.get(reference.key()).orElseGet(() -> {
            byte[] content = verified(event, reference);
            cache.put(reference.key(), content);
            return content;
        });
    }

    private byte[] verified(Event event, PayloadReference reference) {
        byte[] content = store.get(reference.key(), reference.length())
                .orElseThrow(() -> new PayloadRetrievalException(
                        "The payload of " + event + " is missing: " + store + " has no " + reference.key() + "."));
        if (content.length != reference.length() || !PayloadKey.of(content).equals(reference.key())) {
            throw new PayloadRetrievalException("The payload of " + event + " was tampered with: " + reference.key()
                    + " in " + store + " is not what was put there.");
        }
        return content;
    }
}
