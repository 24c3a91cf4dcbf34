package dev.posthorn.inbox;

import dev.posthorn.event.Event;

/**
 * A handler of a member, as the other members of its consumer know it. One that wants several domains or types is registered once
 * for each pair of them.
 *
 * @param name the handler's name
 * @param domain the domain that it wants, or {@link #ANY}
 * @param type the type that it wants, or {@link #ANY}
 */
public record RegisteredHandler(String name, String domain, String type) {

    /** Stands for all domains, or for all types. */
    public static final String ANY = "*";

    boolean wants(Event event) {
        return (domain.equals(ANY) || domain.equals(event.domain())) && (type.equals(ANY) || type.equals(event.type()));
    }
}
