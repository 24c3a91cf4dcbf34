package dev.posthorn.transports.googlepubsub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AttributesTest {

    @Test
    void everyMessageHasTheFiveThatReadersWithoutPosthornKnow() {
        Event event = Event.of("licensing", "license_status_changed")
                .aggregate("license", "l-7")
                .occurredAt(Instant.parse("2026-01-02T03:04:05Z"))
                .build();

        assertThat(Attributes.of(event))
                .contains(
                        entry("event_id", event.id().toString()),
                        entry("event_type", "license_status_changed"),
                        entry("aggregate_type", "license"),
                        entry("aggregate_id", "l-7"),
                        entry("created_at", "2026-01-02T03:04:05Z"));
    }

    @Test
    void withoutAnAggregateTheDomainAndTheKeyStandForIt() {
        Event keyed = Event.of("orders", "Placed").key("customer-1").build();
        Event bare = Event.of("orders", "Placed").build();

        assertThat(Attributes.of(keyed))
                .contains(entry("aggregate_type", "orders"), entry("aggregate_id", "customer-1"));
        assertThat(Attributes.of(bare)).contains(entry("aggregate_id", bare.id().toString()));
    }

    @Test
    void headersThatAreNoAttributesArriveAllTheSame() {
        Event event = Event.of("orders", "Placed")
                .headers(Map.of(
                        "event_id",
                        "its own",
                        "googclient_x",
                        "reserved",
                        "GOOG",
                        "reserved",
                        "long",
                        "€".repeat(400),
                        "n".repeat(300),
                        "a long name",
                        "plain",
                        "1"))
                .build();

        Map<String, String> attributes = Attributes.of(event);

        assertThat(attributes)
                .containsEntry("plain", "1")
                .containsEntry("event_id", event.id().toString());
        assertAllowed(attributes);
        assertThat(eventOf(attributes)).isEqualTo(event);
    }

    @Test
    void aHundredHeadersAndTheirCompanyFitIntoAHundredAttributes() {
        Event event = Event.of("orders", "Placed")
                .key("k".repeat(1_000))
                .aggregate("a".repeat(1_000), "i".repeat(1_000))
                .headers(IntStream.range(0, 100)
                        .boxed()
                        .collect(Collectors.toMap(i -> "header-" + i, i -> "value " + "x".repeat(i))))
                .build();

        Map<String, String> attributes = Attributes.of(event);

        assertAllowed(attributes);
        assertThat(eventOf(attributes)).isEqualTo(event);
    }

    @Test
    void whatCanNotBeCarriedIsRefused() {
        Event event = Event.of("orders", "Placed")
                .headers(Map.of("a", "€".repeat(16_000), "b", "€".repeat(16_000)))
                .build();

        assertThatThrownBy(() -> Attributes.of(event))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("100 attributes");
    }

    @Test
    void piecesThatAreMissingOrWrongMakeItUndecodable() {
        Event event = Event.of("orders", "Placed")
                .headers(Map.of("long", "x".repeat(3_000)))
                .build();
        Map<String, String> whole = Attributes.of(event);
        Map<String, String> cut = new HashMap<>(whole);
        cut.remove("posthorn-more-1");
        Map<String, String> garbled = new HashMap<>(whole);
        garbled.put("posthorn-more-0", "%zz");
        Map<String, String> uncounted = new HashMap<>(whole);
        uncounted.put("posthorn-more", "many");

        assertThat(whole).containsKeys("posthorn-more-0", "posthorn-more-1", "posthorn-more-2");
        for (Map<String, String> broken : java.util.List.of(cut, garbled, uncounted)) {
            assertThatThrownBy(() -> eventOf(broken)).isInstanceOf(UndecodableException.class);
        }
    }

    @Test
    void aDeadLetterKeepsWhatCameWithItAndSaysWhy() {
        Map<String, String> original = new HashMap<>(Map.of("from", "elsewhere", "googclient_x", "by Google"));
        IntStream.range(0, 98).forEach(i -> original.put("attribute-" + i, "value " + i));

        Map<String, String> letter =
                Attributes.ofDeadLetter(original, Map.of("posthorn-dead-reason", "r".repeat(5_000)));

        assertAllowed(letter);
        assertThat(letter.get("posthorn-dead-reason")).hasSize(1_024);
        assertThat(Attributes.headers(letter)).containsAllEntriesOf(original);
    }

    @Test
    void aDeadLetterIsWrittenEvenIfNotAllThatCameWithItFits() {
        Map<String, String> original =
                IntStream.range(0, 100).boxed().collect(Collectors.toMap(i -> "attribute-" + i, i -> "€".repeat(341)));

        Map<String, String> letter = Attributes.ofDeadLetter(original, Map.of("posthorn-dead-reason", "no"));

        assertAllowed(letter);
        assertThat(letter).hasSize(100).containsEntry("posthorn-dead-reason", "no");
    }

    private static Event eventOf(Map<String, String> attributes) {
        return EventMessage.read(new Message(Attributes.headers(attributes), new byte[0]));
    }

    private static void assertAllowed(Map<String, String> attributes) {
        assertThat(attributes).hasSizeLessThanOrEqualTo(100).allSatisfy((name, value) -> {
            assertThat(name.getBytes(UTF_8)).hasSizeBetween(1, 256);
            assertThat(name.toLowerCase(java.util.Locale.ROOT)).doesNotStartWith("goog");
            assertThat(value.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(1_024);
        });
    }
}
