package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What a consumer does, by type. Immutable.
 *
 * <p>Several handlers of one event are independent: each has a mark and a transaction of its own, and one that fails is
 * tried again without the others. An event that no handler of any member wants is counted, see {@link Unhandled}. Later events
 * of a key wait until all handlers are through with an earlier one; handlers that shall not wait for each other belong to consumers of their own.
 *
 * @param <T> what they work in
 */
public final class Handlers<T> {

    /** Stands for all types. */
    private static final String ANY = RegisteredHandler.ANY;

    record Named<T>(String name, Set<String> types, EventHandler<T> handler) {
        boolean wants(Event event) {
            return WireTest.is(event)
                    ? name.equals(WireTest.HANDLER)
                    : types.contains(ANY) || types.contains(event.type());
        }
    }

    private final List<Named<T>> all;

    private Handlers(List<Named<T>> all) {
        this.all = List.copyOf(all);
    }

    public static <T> Handlers<T> none() {
        return new Handlers<>(List.of(new Named<>(WireTest.HANDLER, Set.of(), (event, transaction) -> Verdict.done())));
    }

    /** Also this handler, for events of this type. Its name is stable: the inbox knows it by that. */
    public Handlers<T> on(String type, String name, EventHandler<T> handler) {
        return with(new Named<>(name, Set.of(type), handler));
    }

    /** Also this handler, for events of these types. */
    public Handlers<T> on(Set<String> types, String name, EventHandler<T> handler) {
        return with(new Named<>(name, Set.copyOf(types), handler));
    }

    /** Also this handler, for all events that come. */
    public Handlers<T> onAll(String name, EventHandler<T> handler) {
        return with(new Named<>(name, Set.of(ANY), handler));
    }

    /**
     * The same with something around each handler, such as what fetches or decrypts a payload before it is handled. It runs
     * in the handler's transaction, after the mark of the inbox. The names, and so the marks, stay.
     */
    public Handlers<T> around(UnaryOperator<EventHandler<T>> wrapping) {
        return new Handlers<>(all.stream()
                .map(named -> named.name().equals(WireTest.HANDLER)
                        ? named
                        : new Named<>(named.name(), named.types(), wrapping.apply(named.handler())))
                .toList());
    }

    private Handlers<T> with(Named<T> more) {
        if (all.stream().anyMatch(known -> known.name().equals(more.name()))) {
            throw new PosthornException("There are two handlers called \"" + more.name()
                    + "\"; the second would take every event for handled by the first. Give each a name of its own.");
        }
        List<Named<T>> handlers = new ArrayList<>(all);
        handlers.add(more);
        return new Handlers<>(handlers);
    }

    List<Named<T>> of(Event event) {
        return all.stream().filter(handler -> handler.wants(event)).toList();
    }

    /** Returns what other members shall know of them, within what a subscriber receives. */
    List<RegisteredHandler> registered(Subscriber subscriber) {
        List<RegisteredHandler> registered = new ArrayList<>();
        for (Named<T> handler : all) {
            if (handler.name().equals(WireTest.HANDLER)) {
                continue;
            }
            for (String domain : subscriber.domains().isEmpty() ? Set.of(ANY) : subscriber.domains()) {
                typesOf(handler, subscriber)
                        .forEach(type -> registered.add(new RegisteredHandler(handler.name(), domain, type)));
            }
        }
        return registered;
    }

    private static <T> Set<String> typesOf(Named<T> handler, Subscriber subscriber) {
        if (subscriber.types().isEmpty()) {
            return handler.types();
        }
        Set<String> types = new TreeSet<>(subscriber.types());
        if (!handler.types().contains(ANY)) {
            types.retainAll(handler.types());
        }
        return types;
    }

    List<Named<T>> all() {
        return all;
    }
}
