package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.HandoverStore.MemberId;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Leaves an event to another member of the consumer if a handler that only that one has wants it.
 *
 * <p>While a deployment is under way, members of a consumer have different handlers, and any of them may receive any event. One
 * that lacks a handler stores the event in the database, acknowledges it, and a member that has the handler takes it from there.
 * Later events of the same key follow it into the database, whoever receives them, until none of the key is left there.
 *
 * <p>Two rules make that exact. A member acts on what it knows of the others only as long as that is fresh. And the first event is
 * stored only when every live member knows that members differ: from then on each looks for events of the key that wait. While
 * all members have the same handlers and nothing waits, an event costs no query. Thread-safe.
 *
 * @param <T> what handlers work in
 */
final class HandoverStep<T> {

    private static final Duration NOT_AGREED = Duration.ofMillis(200);
    private static final Duration NOT_KNOWN = Duration.ofMillis(500);
    private static final Duration LEAST_FRESH = Duration.ofSeconds(5);
    /** A store that was under way when the last event was taken is over by then. */
    private static final int QUIET_REPORTS = 5;

    /** What is known, since when, and for how many reports there has been nothing to hand over. */
    private record View(OtherMembers others, long since, int quietReports) {}

    private final ConsumerConfig config;
    private final MemberId member;
    private final Handlers<T> handlers;
    private final Optional<HandoverStore> store;
    private final Journal journal;
    private final LongSupplier nanoTime;
    private final long freshNanos;
    private volatile Optional<View> view = Optional.empty();

    HandoverStep(
            ConsumerConfig config,
            MemberId member,
            Handlers<T> handlers,
            Optional<HandoverStore> store,
            Journal journal) {
        this.config = config;
        this.member = member;
        this.handlers = handlers;
        this.store = store;
        this.journal = journal;
        this.nanoTime = System::nanoTime;
        this.freshNanos = Math.max(
                LEAST_FRESH.toNanos(), config.reportEvery().multipliedBy(3).toNanos());
    }

    /** Learns what a report brought, which was sent at this time. */
    void learned(OtherMembers others, long sent) {
        int quiet = others.concernEvents()
                ? 0
                : view.map(before -> before.quietReports() + 1).orElse(QUIET_REPORTS);
        view = Optional.of(new View(others, sent, quiet));
    }

    /** Returns what is known of the others now. */
    OtherMembers others() {
        return view.map(View::others).orElse(OtherMembers.NONE);
    }

    /** Returns whether events may wait in the database. */
    boolean isNeeded() {
        return store.isPresent()
                && view.map(known -> known.quietReports() < QUIET_REPORTS).orElse(false);
    }

    /** Returns whether another member, and not this one, wants an event. */
    boolean isForOthers(Event event) {
        return store.isPresent() && !WireTest.is(event) && isLackingHandler(event);
    }

    private boolean isLackingHandler(Event event) {
        Set<String> here = new HashSet<>();
        if (config.subscriber().wants(event)) {
            handlers.of(event).forEach(handler -> here.add(handler.name()));
        }
        return others().handlers().stream().anyMatch(handler -> handler.wants(event) && !here.contains(handler.name()));
    }

    /** Returns whether a live member other than this one has a handler of this name for an event. */
    boolean isElsewhere(Event event, String handler) {
        return others().handlers().stream()
                .anyMatch(other ->
                        other.wants(event) && (handler.isEmpty() || other.name().equals(handler)));
    }

    /** Returns whether an event is handled by this member's handlers, and by no others, without a look at the database. */
    boolean isHandledHere(Event event) {
        return !isNeeded() && !handlers.of(event).isEmpty();
    }

    /** Returns what becomes of an event that is not to be handled here now; empty if it is. */
    Optional<Verdict> passOn(Event event) {
        if (store.isEmpty() || WireTest.is(event)) {
            return Optional.empty();
        }
        if (!isFresh()) {
            return handlers.of(event).isEmpty()
                    ? Optional.of(Verdict.later(NOT_KNOWN, "whether another member wants it is not known yet"))
                    : Optional.empty();
        }
        if (!isNeeded()) {
            return Optional.empty();
        }
        return isLackingHandler(event) ? Optional.of(handOver(store.get(), event)) : follow(store.get(), event);
    }

    private boolean isFresh() {
        return view.map(known -> nanoTime.getAsLong() - known.since() < freshNanos)
                .orElse(false);
    }

    private Verdict handOver(HandoverStore to, Event event) {
        if (!others().agreed()) {
            return Verdict.later(NOT_AGREED, "members of the consumer do not know each other's handlers yet");
        }
        to.store(member, event);
        journal.handedOver();
        return Verdict.done();
    }

    private Optional<Verdict> follow(HandoverStore to, Event event) {
        if (event.key().isEmpty() || !to.storeBehindOthers(member, event)) {
            return Optional.empty();
        }
        journal.handedOver();
        return Optional.of(Verdict.done());
    }

    /** Returns this member's handlers, as others shall know them. */
    List<RegisteredHandler> registration() {
        return handlers.registered(config.subscriber());
    }
}
