package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Which of all that is dead. Whatever is not asked for does not matter; what is asked for must hold together. Immutable.
 *
 * @param facts what must be so, by name
 * @param id of an event or of a dead letter
 * @param since the earliest time of death
 * @param until the first time of death that is too late
 */
public record DeadFilter(
        Map<String, String> facts, Optional<UUID> id, Optional<Instant> since, Optional<Instant> until) {

    public DeadFilter {
        facts = Map.copyOf(facts);
    }

    /** Everything that is dead. */
    public static DeadFilter all() {
        return new DeadFilter(Map.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** What died on routes, or in consumers. */
    public DeadFilter station(DeadEntry.Station station) {
        return fact("station", station.name().toLowerCase(Locale.ROOT));
    }

    /** What died on the way out, on this route. */
    public DeadFilter route(String name) {
        return fact("route", name);
    }

    /** What died in this consumer. */
    public DeadFilter consumer(String name) {
        return fact("consumer", name);
    }

    public DeadFilter handler(String name) {
        return fact("handler", name);
    }

    public DeadFilter domain(String name) {
        return fact("domain", name);
    }

    public DeadFilter type(String name) {
        return fact("type", name);
    }

    public DeadFilter key(String key) {
        return fact("key", key);
    }

    /** Of this tenant; {@code GROUP/*} is the group with all its subsidiaries. */
    public DeadFilter tenant(String name) {
        return Event.groupNamed(name).map(group -> fact("tenant_group", group)).orElseGet(() -> fact("tenant", name));
    }

    /** The kind of its cause, such as {@code rejected}; on a route it is {@code publish-failed}. */
    public DeadFilter cause(String kind) {
        return fact("cause", kind);
    }

    /** What its reason has in common with others, as a group shows it. */
    public DeadFilter fingerprint(String text) {
        return fact("fingerprint", text);
    }

    /** This one: a dead letter, or an event wherever it is dead. */
    public DeadFilter id(UUID wanted) {
        return new DeadFilter(facts, Optional.of(wanted), since, until);
    }

    /** Died then or later. */
    public DeadFilter since(Instant time) {
        return new DeadFilter(facts, id, Optional.of(time), until);
    }

    /** Died before then. */
    public DeadFilter until(Instant time) {
        return new DeadFilter(facts, id, since, Optional.of(time));
    }

    private DeadFilter fact(String name, String value) {
        Map<String, String> more = new TreeMap<>(facts);
        more.put(name, value);
        return new DeadFilter(more, id, since, until);
    }
}
