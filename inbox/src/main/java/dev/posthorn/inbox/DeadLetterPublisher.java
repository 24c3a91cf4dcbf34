package dev.posthorn.inbox;

import dev.posthorn.deadletter.DeadLetter;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Publishes dead letters to a broker, each as one event whose payload is the whole record in JSON: cover, payload, reason, typed
 * details, source component and kind, time and metadata.
 *
 * <p>For people with their own loop, and as a target of a {@link dev.posthorn.deadletter.DeadLetterChain}. The transport's names
 * say where: open one whose events go to the dead letters of their domain, such as {@code {prefix}-dlq-{domain}}. A letter has
 * the domain, key, tenant and correlation id of its event and the type {@value #TYPE}. The id of the letter is the event's id, so
 * a repeated letter is recognised. A message that is not an event has the consumer's name as domain. Thread-safe.
 */
public final class DeadLetterPublisher implements DeadLetterTarget, AutoCloseable {

    /** The type of the events that carry dead letters. */
    public static final String TYPE = "dead-letter";

    private final Publisher publisher;
    private final Duration answerTime;

    /**
     * A publisher over this transport, which the caller closes.
     *
     * @param answerTime how long to wait for the broker. If it is too short, letters are published twice. If it is too long, a
     *     broker that does not answer holds up the caller
     */
    public DeadLetterPublisher(Transport transport, Duration answerTime) {
        this.publisher = transport.publisher();
        this.answerTime = answerTime;
    }

    /** Returns when the broker has the letter. Throws {@link PosthornException} if it does not, or not in time. */
    @Override
    public void keep(DeadLetter letter) {
        Sent sent = new Sent(eventOf(letter));
        publisher.publish(List.of(sent));
        Outcome outcome;
        try {
            outcome = sent.outcome.get(answerTime.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException late) {
            throw new PosthornException(
                    "The broker did not take dead letter " + letter.id() + " within " + answerTime.toMillis() + " ms",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PosthornException("Interrupted while dead letter " + letter.id() + " was published", interrupted);
        }
        if (!(outcome instanceof Outcome.Accepted)) {
            throw new PosthornException("The broker did not take dead letter " + letter.id() + ": " + outcome);
        }
    }

    private static Event eventOf(DeadLetter letter) {
        String domain =
                letter.decoded().map(Event::domain).orElse(letter.source().consumer());
        EventBuilder builder = Event.of(domain, TYPE).id(letter.id()).occurredAt(letter.occurredAt());
        letter.decoded().ifPresent(event -> {
            event.key().ifPresent(builder::key);
            event.tenant().ifPresent(builder::tenant);
            event.correlationId().ifPresent(builder::correlationId);
        });
        return builder.json(letter.json()).build();
    }

    @Override
    public void close() {
        publisher.close();
    }

    private record Sent(Event event, CompletableFuture<Outcome> outcome) implements Publication {

        Sent(Event event) {
            this(event, new CompletableFuture<>());
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public void settle(Outcome outcome) {
            this.outcome.complete(outcome);
        }
    }
}
