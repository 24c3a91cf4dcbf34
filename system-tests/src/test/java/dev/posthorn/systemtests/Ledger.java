package dev.posthorn.systemtests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was committed with what was published.
 *
 * <p>Committed is what the outbox holds: nothing prunes it here. Published is the file, in the order of its lines. Order
 * is by the event's own sequence, which the producers draw under a row lock.
 *
 * @param lost committed and never published
 * @param invented published and never committed
 * @param disorder first publications of a key that do not come next, in words
 * @param duplicates lines beyond the first of an event
 * @param torn lines that a crash cut
 */
record Ledger(
        int committed,
        int published,
        Set<UUID> lost,
        Set<UUID> invented,
        List<String> disorder,
        int duplicates,
        int torn) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** As it stands now; the relays should have nothing left to do. */
    static Ledger of(Shop shop) {
        Set<UUID> committed = new HashSet<>();
        shop.rows("SELECT id FROM posthorn.outbox").forEach(id -> committed.add(UUID.fromString(id)));
        return of(shop, committed, Set.of());
    }

    /** The same with what a server has, and without what was committed, and perhaps published, on one that is gone. */
    static Ledger of(Shop shop, Set<UUID> committed, Set<UUID> goneWithTheirServer) {
        if (!Files.exists(shop.published())) {
            return of(committed, List.of());
        }
        // Line by line: after a long run the file is larger than the heap.
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(Files.newInputStream(shop.published()), StandardCharsets.UTF_8))) {
            return of(
                    committed,
                    () -> reader.lines()
                            .filter(line -> !isOneOf(goneWithTheirServer, line))
                            .iterator());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** When this relay published what stands last in the file, by its own clock. */
    static Instant lastPublishedBy(Shop shop, String relay) {
        try (Stream<String> lines = Files.lines(shop.published())) {
            return lines.map(Ledger::parse)
                    .filter(event ->
                            event != null && event.path("relay").asText().equals(relay))
                    .map(event -> Instant.parse(event.path("published_at").asText()))
                    .reduce((before, last) -> last)
                    .orElse(Instant.EPOCH);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Ledger of(Set<UUID> committed, Iterable<String> lines) {
        Set<UUID> published = new HashSet<>();
        Map<String, Long> lastOfKey = new HashMap<>();
        List<String> disorder = new ArrayList<>();
        int duplicates = 0;
        int torn = 0;
        for (String line : lines) {
            JsonNode event = parse(line);
            if (event == null) {
                torn++;
                continue;
            }
            if (!published.add(UUID.fromString(event.path("id").asText()))) {
                duplicates++;
                continue;
            }
            String key = event.path("key").asText();
            long sequence = event.path("sequence").asLong();
            Long before = lastOfKey.put(key, sequence);
            if (sequence != (before == null ? 1 : before + 1)) {
                disorder.add(key + ": " + sequence + " after " + before + ", by "
                        + event.path("relay").asText() + " at "
                        + event.path("published_at").asText());
            }
        }
        return new Ledger(
                committed.size(),
                published.size(),
                without(committed, published),
                without(published, committed),
                disorder,
                duplicates,
                torn);
    }

    private static Set<UUID> without(Set<UUID> all, Set<UUID> some) {
        Set<UUID> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    private static boolean isOneOf(Set<UUID> events, String line) {
        JsonNode event = events.isEmpty() ? null : parse(line);
        return event != null && events.contains(UUID.fromString(event.path("id").asText()));
    }

    private static @Nullable JsonNode parse(String line) {
        try {
            JsonNode node = JSON.readTree(line);
            return node.has("published_at") && node.has("id") ? node : null;
        } catch (JsonProcessingException torn) {
            return null;
        }
    }

    /** Fails unless everything committed was published, nothing else was, and every key is in order. */
    void assertExact(int mostDuplicates) {
        if (!lost.isEmpty() || !invented.isEmpty() || !disorder.isEmpty() || duplicates > mostDuplicates) {
            throw new AssertionError(this + ", of which at most " + mostDuplicates + " duplicates may be; lost "
                    + first(lost) + ", invented " + first(invented) + ", out of order " + first(disorder));
        }
    }

    private static String first(Collection<?> all) {
        return all.stream().limit(5).toList().toString();
    }

    @Override
    public String toString() {
        return committed + " committed, " + published + " published, " + lost.size() + " lost, " + invented.size()
                + " invented, " + disorder.size() + " out of order, " + duplicates + " duplicates, " + torn
                + " torn lines";
    }
}
