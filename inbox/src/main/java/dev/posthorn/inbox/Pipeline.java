package dev.posthorn.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.deadletter.DeadLetter;
import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterChain.Kept;
import dev.posthorn.deadletter.Source;
import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.Verdict;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event through all handlers that want it, and then one verdict for the delivery.
 *
 * <p>A handler that is done is not called again when the event comes again for the sake of another; one that gave up is not
 * either, for its dead letter is kept together with a mark in the inbox.
 *
 * @param <T> what handlers work in
 */
final class Pipeline<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
    private static final Duration NOT_KEPT = Duration.ofSeconds(5);

    /** Where an event came from. */
    record Arrived(int attempt, Map<String, String> metadata) {}

    private final Handlers<T> handlers;
    private final HandlerStep<T> step;
    private final DeadLetterChain deadLetters;
    private final Origin origin;
    private final Journal journal;
    private final TargetFailures reports;

    /** What dead letters say of this member. */
    record Origin(String consumer, String kind, String member) {
        Source of(String handler) {
            return new Source(consumer, handler, kind, member);
        }
    }

    Pipeline(Handlers<T> handlers, HandlerStep<T> step, DeadLetterChain deadLetters, Origin origin, Journal journal) {
        this.handlers = handlers;
        this.step = step;
        this.deadLetters = deadLetters;
        this.origin = origin;
        this.journal = journal;
        this.reports = new TargetFailures(origin.consumer());
    }

    private Pipeline(Pipeline<T> whole, DeadLetterChain deadLetters) {
        this.handlers = whole.handlers;
        this.step = whole.step;
        this.deadLetters = deadLetters;
        this.origin = whole.origin;
        this.journal = whole.journal;
        this.reports = whole.reports;
    }

    /** Throws {@link InboxException} if the database is out of reach; nothing is decided then. */
    Verdict handle(Event event, Arrived arrived) {
        List<Handled.Again> again = new ArrayList<>();
        List<DeadLetter> dead = new ArrayList<>();
        List<Handlers.Named<T>> wanting = handlers.of(event);
        if (wanting.isEmpty()) {
            return unhandled(event, arrived);
        }
        for (Handlers.Named<T> handler : wanting) {
            Handled handled = step.run(handler, event, arrived.attempt());
            if (handled instanceof Handled.Again one) {
                again.add(one);
            } else if (handled instanceof Handled.Dead one) {
                dead.add(letter(event, handler.name(), one.cause(), arrived.metadata()));
            }
        }
        return settled(event, again, dead);
    }

    /** What no handler of any member wants. */
    Verdict unhandled(Event event, Arrived arrived) {
        if (arrived.attempt() == 1) {
            journal.unhandled(event);
        }
        Handled handled = step.unhandled(event, arrived.attempt());
        List<Handled.Again> again =
                handled instanceof Handled.Again one ? new ArrayList<>(List.of(one)) : new ArrayList<>();
        List<DeadLetter> dead = handled instanceof Handled.Dead one
                ? List.of(letter(event, "", one.cause(), arrived.metadata()))
                : List.of();
        return settled(event, again, dead);
    }

    private Verdict settled(Event event, List<Handled.Again> again, List<DeadLetter> dead) {
        @Nullable Verdict rejected = null;
        for (DeadLetter letter : dead) {
            Kept kept = deadLetters.keep(letter, reports);
            if (kept == Kept.NOWHERE) {
                again.add(new Handled.Again(
                        NOT_KEPT,
                        "its dead letter could not be kept: " + letter.cause().reason()));
                continue;
            }
            if (kept == Kept.BY_TRANSPORT && !again.isEmpty()) {
                // Rejecting now would take the event from those who try again; it comes again, and is rejected then.
                continue;
            }
            journal.dead(letter.cause().reason());
            LOG.warn(
                    "{} gave up event {}: {}. {}",
                    letter.source().consumer() + "/" + letter.source().handler(),
                    event.id(),
                    letter.cause().reason(),
                    letter.cause().remedy());
            if (kept == Kept.BY_TRANSPORT) {
                rejected = Verdict.reject(letter.cause().reason(), letter.headers());
            }
        }
        if (!again.isEmpty()) {
            again.forEach(one -> journal.retried(one.reason()));
            boolean charged = again.stream().anyMatch(Handled.Again::charged);
            return again.stream()
                    .min((one, other) -> one.after().compareTo(other.after()))
                    .<Verdict>map(first -> new Verdict.Retry(first.after(), first.reason(), charged))
                    .orElseThrow();
        }
        return rejected == null ? Verdict.done() : rejected;
    }

    /** What is no event: its bytes are kept before it is acknowledged. */
    Verdict undecodable(Message message, String reason, Map<String, String> metadata) {
        DeadLetter letter = new DeadLetter(
                idOf(message),
                origin.of(""),
                null,
                new DeadLetter.Raw(message.headers(), message.body()),
                new Cause.Undecodable(reason),
                journal.clock().instant(),
                metadata);
        Kept kept = deadLetters.keep(letter, reports);
        if (kept == Kept.NOWHERE) {
            return Verdict.retry(NOT_KEPT, "its dead letter could not be kept: " + reason);
        }
        journal.dead(reason);
        return kept == Kept.HERE ? Verdict.done() : Verdict.reject(reason, letter.headers());
    }

    private DeadLetter letter(Event event, String handler, Cause cause, Map<String, String> metadata) {
        return new DeadLetter(
                UUID.nameUUIDFromBytes((origin.consumer() + "/" + handler + "/" + event.id()).getBytes(UTF_8)),
                origin.of(handler),
                event,
                new DeadLetter.Raw(EventMessage.headersOf(event), event.payloadBytes()),
                cause,
                journal.clock().instant(),
                metadata);
    }

    /** The same for the same bytes, so that what comes again after a crash is kept once. */
    private UUID idOf(Message message) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(origin.consumer().getBytes(UTF_8));
        new TreeMap<>(message.headers()).forEach((name, value) -> {
            all.write(0);
            all.writeBytes(name.getBytes(UTF_8));
            all.write(0);
            all.writeBytes(value.getBytes(UTF_8));
        });
        all.write(0);
        all.writeBytes(message.body());
        return UUID.nameUUIDFromBytes(all.toByteArray());
    }

    /** The same for events that come from the database, so that no transport can keep their dead letters. */
    Pipeline<T> withoutTransport() {
        return new Pipeline<>(this, deadLetters.withoutTransport());
    }

    Handlers<T> handlers() {
        return handlers;
    }

    HandlerStep<T> step() {
        return step;
    }
}
