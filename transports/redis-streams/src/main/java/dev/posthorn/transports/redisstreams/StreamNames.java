package dev.posthorn.transports.redisstreams;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameRules;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** What streams, groups and the transport's own keys are called. */
final class StreamNames {

    /** Stands where a name has no certain domain, type or tenant. */
    static final String ANY = "all";

    /** Redis takes any bytes; these are the ones that need no quoting in its patterns, tools and access lists. */
    private static final NameRules RULES =
            new NameRules("Redis", Pattern.compile("[^A-Za-z0-9._:/-]"), 1, 512, "letters, digits and . _ - : /");

    private final Names names;
    private final int shards;

    StreamNames(Names names, int shards) {
        this.names = names;
        this.shards = shards;
    }

    /** Fills each template with the shortest parts there are. */
    static void addFaults(Names names, List<String> faults) {
        Map<String, String> parts = new HashMap<>(Map.of("prefix", names.prefix(), "subscriber", "s"));
        List.of("domain", "type", "aggregate-type", "tenant").forEach(part -> parts.put(part, "d"));
        for (NameTemplate template : List.of(names.events(), names.subscribers(), names.deadLetters())) {
            try {
                RULES.fit(template.fill(parts));
            } catch (PosthornException impossible) {
                faults.add("names: " + impossible.getMessage());
            }
        }
        names.events().topics().all(names.prefix()).keySet().forEach(RULES::fit);
    }

    /** The stream of this event; throws {@link PosthornException} if the event lacks a part of the name. */
    String streamOf(Event event) {
        String name = RULES.fit(names.events().fillFor(event, names.prefix()));
        return shards == 1
                ? name
                : sharded(name, shardOf(event.key().orElseGet(() -> event.id().toString()), shards));
    }

    /** CRC-32 of the key's UTF-8 bytes, modulo the number of shards: easy to do elsewhere. */
    static int shardOf(String key, int shards) {
        CRC32 sum = new CRC32();
        sum.update(key.getBytes(UTF_8));
        return (int) (sum.getValue() % shards);
    }

    private static String sharded(String name, int shard) {
        return name + "-" + shard;
    }

    /** The domain that all of a stream belongs to, or {@link #ANY}. */
    String domainOf(Event event) {
        return names.events().needs("domain")
                        || names.events().topics().of(event, names.prefix()).isPresent()
                ? event.domain()
                : ANY;
    }

    /** Streams with their domains that this subscriber reads for certain, whether they exist or not. */
    Map<String, String> streamsFor(Subscriber subscriber) {
        NameTemplate events = names.events();
        Map<String, String> streams = new LinkedHashMap<>();
        events.topics()
                .of(subscriber, names.prefix())
                .forEach((topic, domain) -> put(RULES.fit(topic), domain, streams));
        if (events.needs("aggregate-type")
                || events.needs("tenant")
                || (events.needs("domain") && subscriber.domains().isEmpty())
                || (events.needs("type") && subscriber.types().isEmpty())) {
            return streams;
        }
        for (String domain : events.needs("domain") ? subscriber.domains() : Set.of(ANY)) {
            for (String type : events.needs("type") ? subscriber.types() : Set.of(ANY)) {
                put(
                        RULES.fit(events.fill(Map.of("prefix", names.prefix(), "domain", domain, "type", type))),
                        domain,
                        streams);
            }
        }
        return streams;
    }

    private void put(String name, String domain, Map<String, String> streams) {
        for (int i = 0; i < shards; i++) {
            streams.put(shards == 1 ? name : sharded(name, i), domain);
        }
    }

    static boolean mayHold(String domain, Subscriber subscriber) {
        return subscriber.domains().isEmpty()
                || domain.equals(ANY)
                || subscriber.domains().contains(domain);
    }

    String groupOf(Subscriber subscriber, String domain) {
        return RULES.fit(names.subscribers()
                .fill(Map.of(
                        "prefix", names.prefix(),
                        "subscriber", subscriber.name(),
                        "domain", domain,
                        "type", ANY,
                        "tenant", ANY)));
    }

    /** Where rejected entries with these parts go; what is unknown of them is {@link #ANY}. */
    String deadLettersOf(Map<String, String> known) {
        Map<String, String> parts = new HashMap<>(known);
        parts.put("prefix", names.prefix());
        List.of("domain", "type", "aggregate-type", "tenant").forEach(part -> parts.putIfAbsent(part, ANY));
        return RULES.fit(names.deadLetters().fill(parts));
    }

    /** A hash of all streams, each with its domain. */
    String registry() {
        return own("streams");
    }

    /** A set of all subscribers that ever were. */
    String subscribers() {
        return own("subscribers");
    }

    String membersOf(Subscriber subscriber) {
        return own("members-" + subscriber.name());
    }

    String leaseOf(Subscriber subscriber, String stream) {
        return own("lease-" + subscriber.name() + "-" + stream);
    }

    String trimLease() {
        return own("trimming");
    }

    private String own(String name) {
        return RULES.fit(names.prefix() + "-" + name);
    }
}
