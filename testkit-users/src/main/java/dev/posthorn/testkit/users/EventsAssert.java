package dev.posthorn.testkit.users;

import dev.posthorn.event.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractListAssert;
import org.assertj.core.api.ObjectAssert;

/**
 * Assertions on events, in the order in which they came. Each narrowing keeps the order and answers what is left; all that AssertJ
 * knows of lists can follow.
 */
public final class EventsAssert
        extends AbstractListAssert<EventsAssert, List<? extends Event>, Event, ObjectAssert<Event>> {

    private final String what;

    EventsAssert(List<? extends Event> events, String what) {
        super(events, EventsAssert.class);
        this.what = what;
        var unused = as(what);
    }

    public EventsAssert ofType(String type) {
        return narrowed(event -> event.type().equals(type), "of type " + type);
    }

    public EventsAssert ofDomain(String domain) {
        return narrowed(event -> event.domain().equals(domain), "of domain " + domain);
    }

    public EventsAssert ofKey(String key) {
        return narrowed(event -> event.key().filter(key::equals).isPresent(), "of key " + key);
    }

    /** Those that came of one request. */
    public EventsAssert ofCorrelation(String id) {
        return narrowed(event -> event.correlationId().filter(id::equals).isPresent(), "of correlation " + id);
    }

    /** Exactly these types, in this order. */
    public EventsAssert hasTypes(String... types) {
        extracting(Event::type).as(what).containsExactly(types);
        return this;
    }

    /** Exactly these payloads, as text in UTF-8, in this order. */
    public EventsAssert hasPayloads(String... payloads) {
        extracting(event -> new String(event.payloadBytes(), StandardCharsets.UTF_8))
                .as(what)
                .containsExactly(payloads);
        return this;
    }

    /** None came twice. */
    public EventsAssert hasNoRepeats() {
        extracting(Event::id).as(what).doesNotHaveDuplicates();
        return this;
    }

    private EventsAssert narrowed(Predicate<Event> wanted, String words) {
        List<Event> left = actual.stream().map(Event.class::cast).filter(wanted).toList();
        return new EventsAssert(left, what + " " + words);
    }

    @Override
    protected ObjectAssert<Event> toAssert(Event event, String description) {
        return new ObjectAssert<>(event).as(description);
    }

    @Override
    protected EventsAssert newAbstractIterableAssert(Iterable<? extends Event> events) {
        List<Event> list = new ArrayList<>();
        events.forEach(list::add);
        return new EventsAssert(list, what);
    }
}
