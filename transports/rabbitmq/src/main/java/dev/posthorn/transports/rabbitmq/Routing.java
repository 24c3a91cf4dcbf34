package dev.posthorn.transports.rabbitmq;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Subscriber;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Routing keys of events, and the patterns by which queues are bound.
 *
 * <p>The template's words are filled in one by one; a dot within a value becomes {@code ~}, so that a domain is one word
 * whatever it is called. With slots a last word follows, 0 to 15, made from the event's key: it spreads the keys over a
 * subscriber's shards.
 *
 * @param key the template. Default {@code {domain}.{type}}
 * @param slotted whether the last word is there. Without it a subscriber has one queue. Default true
 * @param patterns binding patterns of a subscriber's own, by its name, instead of those made from its domains and types.
 *     They are written for keys without the slot
 */
public record Routing(NameTemplate key, boolean slotted, Map<String, List<String>> patterns) {

    /** Into how many parts the keys are spread. Never to be changed: a key would move to another shard. */
    public static final int SLOTS = 16;

    private static final int LONGEST = 255;

    public static final Routing STANDARD = new Routing(NameTemplate.ofEvents("{domain}.{type}"), true, Map.of());

    public Routing {
        patterns = Map.copyOf(patterns);
    }

    public Routing key(String template) {
        return new Routing(NameTemplate.ofEvents(template), slotted, patterns);
    }

    public Routing slotted(boolean slotted) {
        return new Routing(key, slotted, patterns);
    }

    /** Binds this subscriber's queues by these patterns. */
    public Routing bind(String subscriber, String... patterns) {
        Map<String, List<String>> all = new HashMap<>(this.patterns);
        all.put(subscriber, List.of(patterns));
        return new Routing(key, slotted, all);
    }

    void check(List<String> faults) {
        patterns.forEach((subscriber, own) -> own.forEach(pattern -> check(subscriber, pattern, faults)));
        if (key.toString().isEmpty()) {
            faults.add("the template of the routing key must not be empty");
        }
    }

    private static void check(String subscriber, String pattern, List<String> faults) {
        for (String word : words(pattern)) {
            boolean wild = word.equals("*") || word.equals("#");
            if (!wild && (word.contains("*") || word.contains("#"))) {
                faults.add(
                        "the pattern \"" + pattern + "\" of subscriber " + subscriber + " would never match: a * stands"
                                + " for one whole word and a # for any number, so \"" + word
                                + "\" matches only itself. List the"
                                + " words, or bind more and choose by type");
            }
        }
        if (pattern.isEmpty() || tooLong(pattern)) {
            faults.add("a pattern of subscriber " + subscriber + " has not 1 to " + LONGEST + " bytes: \"" + pattern
                    + "\"");
        }
    }

    /** The routing key; throws if the event lacks a part, or the key is too long for AMQP. */
    String keyOf(Event event, String prefix) {
        Map<String, String> parts = new HashMap<>();
        parts.put("prefix", word(prefix));
        parts.put("domain", word(event.domain()));
        parts.put("type", word(event.type()));
        event.aggregateType().ifPresent(value -> parts.put("aggregate-type", word(value)));
        event.tenant().ifPresent(value -> parts.put("tenant", word(value)));
        String filled = key.fill(parts);
        String whole = slotted ? filled + "." + slotOf(event) : filled;
        if (tooLong(whole)) {
            throw new PosthornException("its routing key has more than " + LONGEST + " bytes: " + whole);
        }
        return whole;
    }

    /** By which the queue of this shard is bound. */
    Set<String> patternsOf(Subscriber subscriber, String prefix, Shards shards) {
        Set<String> all = new LinkedHashSet<>();
        List<String> own = patterns.get(subscriber.name());
        for (String pattern : own != null ? own : made(subscriber, prefix)) {
            if (!slotted) {
                all.add(pattern);
            } else if (shards.count() == 1) {
                all.add(pattern + ".*");
            } else {
                shards.slots().forEach(slot -> all.add(pattern + "." + slot));
            }
            if (slotted && own == null && shards.isFirst()) {
                all.add(pattern); // from publishers without slots; as they have a word less, nothing comes twice
            }
        }
        return all;
    }

    /** One of the queues of a subscriber. */
    record Shards(int index, int count) {

        boolean isFirst() {
            return index == 0;
        }

        List<Integer> slots() {
            List<Integer> slots = new ArrayList<>();
            for (int slot = index; slot < SLOTS; slot += count) {
                slots.add(slot);
            }
            return slots;
        }
    }

    /** One for each wanted domain and type; a word that is not known matches any. */
    private List<String> made(Subscriber subscriber, String prefix) {
        List<String> made = new ArrayList<>();
        for (String domain : orAny(subscriber.domains())) {
            for (String type : orAny(subscriber.types())) {
                Map<String, String> known = new HashMap<>();
                known.put("prefix", word(prefix));
                if (!domain.isEmpty()) {
                    known.put("domain", word(domain));
                }
                if (!type.isEmpty()) {
                    known.put("type", word(type));
                }
                made.add(pattern(known));
            }
        }
        return made;
    }

    private String pattern(Map<String, String> known) {
        List<String> words = new ArrayList<>();
        for (String word : words(key.toString())) {
            NameTemplate part = NameTemplate.ofEvents(word);
            boolean filled = List.of("prefix", "domain", "type", "aggregate-type", "tenant").stream()
                    .allMatch(hole -> !part.needs(hole) || known.containsKey(hole));
            words.add(filled ? part.fill(known) : "*");
        }
        return String.join(".", words);
    }

    private static Set<String> orAny(Set<String> wanted) {
        return wanted.isEmpty() ? Set.of("") : wanted;
    }

    static int slotOf(Event event) {
        int hash = event.key().orElseGet(() -> event.id().toString()).hashCode();
        return Math.floorMod(((hash ^ (hash >>> 16)) * 0x9E3779B1) >>> 16, SLOTS);
    }

    private static String word(String value) {
        return value.replace('.', '~');
    }

    private static List<String> words(String dotted) {
        return List.of(dotted.split("\\.", -1));
    }

    private static boolean tooLong(String key) {
        return key.length() > LONGEST || key.getBytes(StandardCharsets.UTF_8).length > LONGEST;
    }
}
