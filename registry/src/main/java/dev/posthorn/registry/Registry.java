package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.TypeTopics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which events there are, and what each must look like. Immutable and thread-safe.
 *
 * <p>A wire test (header {@value #WIRE_TEST}) is no event of the system and breaks no rule: consumers do nothing about it.
 */
public final class Registry {

    private static final String WIRE_TEST = "wire-test";

    /** How the content types of what Posthorn put in the place of a payload begin. */
    private static final String HIDDEN = "application/vnd.posthorn.";

    private final Mode mode;
    private final List<EventType> types;
    private final boolean offForSome;
    /** The domains of a type in the order of their names. */
    private final Map<String, Map<String, Versions>> byTypeAndDomain = new HashMap<>();

    private Registry(Mode mode, Collection<EventType> types) {
        this.mode = mode;
        this.types = types.stream()
                .sorted(Comparator.comparing(EventType::domain)
                        .thenComparing(EventType::type)
                        .thenComparingInt(type -> type.version()))
                .toList();
        this.offForSome = mode == Mode.OFF
                || types.stream()
                        .anyMatch(type ->
                                type.policy().mode().filter(Mode.OFF::equals).isPresent());
        Map<String, Map<String, List<EventType>>> found = new HashMap<>();
        for (EventType type : this.types) {
            found.computeIfAbsent(type.type(), any -> new LinkedHashMap<>())
                    .computeIfAbsent(type.domain(), any -> new ArrayList<>())
                    .add(type);
        }
        found.forEach((type, domains) -> {
            Map<String, Versions> known = new LinkedHashMap<>();
            domains.forEach((domain, versions) -> known.put(domain, Versions.of(versions)));
            byTypeAndDomain.put(type, known);
        });
    }

    /** Throws {@link PosthornException} if a type is there twice in one version. */
    public static Registry of(Mode mode, Collection<EventType> types) {
        return new Registry(mode, types);
    }

    /** How strict it is, unless a type says otherwise. */
    public Mode mode() {
        return mode;
    }

    /** By domain, type and version. */
    public List<EventType> types() {
        return types;
    }

    /** The topics of the types that name one. Throws {@link PosthornException} if versions of one type name different ones. */
    public TypeTopics topics() {
        Map<TypeTopics.TypeName, String> topics = new LinkedHashMap<>();
        for (EventType type : types) {
            type.policy().topic().ifPresent(topic -> {
                @Nullable String other = topics.put(new TypeTopics.TypeName(type.domain(), type.type()), topic);
                if (other != null && !other.equals(topic)) {
                    throw new PosthornException(type.domain() + "/" + type.type() + " has the topics \"" + other
                            + "\" and \"" + topic + "\" in the registry. All versions of a type share one topic.");
                }
            });
        }
        return TypeTopics.of(topics);
    }

    /** Every rule that the event breaks, whatever the mode; empty if none. */
    public List<Violation> check(Event event) {
        return check(event, false);
    }

    /** The same, without looking into a payload that has been checked by the same contract when it was emitted. */
    List<Violation> checkUnlessStamped(Event event) {
        return check(event, true);
    }

    private List<Violation> check(Event event, boolean trustsStamps) {
        if (isWireTest(event)) {
            return List.of();
        }
        Map<String, Versions> domains = byTypeAndDomain.get(event.type());
        if (domains == null) {
            return List.of(new Violation(
                    Rule.UNKNOWN_TYPE, "type", "\"" + event.type() + "\" is not in the registry; register it"));
        }
        Versions versions = domains.get(event.domain());
        if (versions == null) {
            return List.of(new Violation(
                    Rule.WRONG_DOMAIN,
                    "domain",
                    "is \"" + event.domain() + "\", but the type belongs to " + String.join(", ", domains.keySet())));
        }
        @Nullable KnownType known = versions.of(event);
        if (known == null) {
            return List.of(versions.unknown(event));
        }
        boolean needsNone = isHidden(event) || (trustsStamps && isStamped(event, known));
        return withAggregate(
                event,
                known.type(),
                needsNone ? List.of() : known.type().contract().check(event));
    }

    private static List<Violation> withAggregate(Event event, EventType type, List<Violation> payload) {
        @Nullable String wanted = type.aggregateType();
        if (wanted == null) {
            return payload;
        }
        boolean right = event.aggregateType().filter(wanted::equals).isPresent();
        boolean identified = event.aggregateId().isPresent();
        if (right && identified) {
            return payload;
        }
        List<Violation> found = new ArrayList<>();
        if (!right) {
            found.add(new Violation(
                    Rule.WRONG_AGGREGATE_TYPE,
                    "aggregateType",
                    event.aggregateType().map(is -> "is \"" + is + "\"").orElse("is missing") + ", but must be \""
                            + wanted + "\""));
        }
        if (!identified) {
            found.add(new Violation(Rule.MISSING_AGGREGATE_ID, "aggregateId", "is missing"));
        }
        found.addAll(payload);
        return found;
    }

    /** Whether there may be an event that it does not look at; if not, nobody has to ask for each. */
    boolean isOffForSome() {
        return offForSome;
    }

    /** How strict it is about this event. */
    Mode modeFor(Event event) {
        @Nullable KnownType known = known(event);
        return known == null ? mode : known.type().policy().mode().orElse(mode);
    }

    /** The event, which breaks no rule, saying so; as it is if its payload was not looked into. */
    Event stamped(Event event) {
        @Nullable KnownType known = known(event);
        @Nullable Stamp stamp = known == null || isHidden(event) || isWireTest(event) ? null : known.stamp();
        return stamp == null ? event : stamp.on(event);
    }

    private @Nullable KnownType known(Event event) {
        @Nullable Map<String, Versions> domains = byTypeAndDomain.get(event.type());
        @Nullable Versions versions = domains == null ? null : domains.get(event.domain());
        return versions == null ? null : versions.of(event);
    }

    private static boolean isStamped(Event event, KnownType known) {
        @Nullable Stamp stamp = known.stamp();
        return stamp != null && stamp.isOn(event);
    }

    /** Encrypted, or kept elsewhere: it was checked before that, and what travels can not be. */
    private static boolean isHidden(Event event) {
        return event.contentType().startsWith(HIDDEN);
    }

    private static boolean isWireTest(Event event) {
        return !event.headers().isEmpty() && event.headers().containsKey(WIRE_TEST);
    }
}
