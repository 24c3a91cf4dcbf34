package dev.posthorn.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.event.Event;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLineTest {

    private static final String AWKWARD = "a\"b\\c\n\r\t\u0001é\u2028\u2029\u0085日本😀</script>";

    @Test
    void everyFieldOfAnEventIsThere() throws IOException {
        Event event = Event.of("shop", "Placed")
                .key(AWKWARD)
                .sequence(7)
                .aggregate("order", AWKWARD)
                .tenant("acme")
                .correlationId("c1")
                .causationId("c2")
                .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .payload(new byte[] {0, 1, 2}, "text/plain")
                .occurredAt(Instant.parse("2026-02-01T00:00:00.000001Z"))
                .deliverAfter(Instant.parse("2026-02-02T00:00:00Z"))
                .build();
        ArchivedEvent archived = new ArchivedEvent(
                new ArchivedEvent.Place(Long.MAX_VALUE, "18446744073709551615", 255, ArchivedEvents.FIRST),
                event,
                "{\"a\": {\"deep\": [1, null, \"\\u0001\"]}}",
                Map.of("main", ArchivedEvents.FIRST, AWKWARD, ArchivedEvents.FIRST.plusSeconds(1)));

        JsonNode line = parsed(archived);

        assertThat(line.path("seq").asLong()).isEqualTo(Long.MAX_VALUE);
        assertThat(line.path("tx").asText()).isEqualTo("18446744073709551615");
        assertThat(line.path("lane").asInt()).isEqualTo(255);
        assertThat(line.path("created_at").asText()).isEqualTo("2026-03-01T10:00:00.123456Z");
        assertThat(line.path("id").asText()).isEqualTo(event.id().toString());
        assertThat(line.path("domain").asText()).isEqualTo("shop");
        assertThat(line.path("type").asText()).isEqualTo("Placed");
        assertThat(line.path("key").asText()).isEqualTo(AWKWARD);
        assertThat(line.path("sequence").asLong()).isEqualTo(7);
        assertThat(line.path("aggregate_type").asText()).isEqualTo("order");
        assertThat(line.path("aggregate_id").asText()).isEqualTo(AWKWARD);
        assertThat(line.path("tenant").asText()).isEqualTo("acme");
        assertThat(line.path("correlation_id").asText()).isEqualTo("c1");
        assertThat(line.path("causation_id").asText()).isEqualTo("c2");
        assertThat(line.path("traceparent").asText()).startsWith("00-4bf9");
        assertThat(line.path("headers").path("a").path("deep").get(1).isNull()).isTrue();
        assertThat(line.path("content_type").asText()).isEqualTo("text/plain");
        assertThat(line.path("occurred_at").asText()).isEqualTo("2026-02-01T00:00:00.000001Z");
        assertThat(line.path("deliver_after").asText()).isEqualTo("2026-02-02T00:00:00Z");
        assertThat(line.path("payload_base64").asText()).isEqualTo("AAEC");
        assertThat(line.path("published_at").path("main").asText()).isEqualTo("2026-03-01T10:00:00.123456Z");
        assertThat(line.path("published_at").path(AWKWARD).asText()).isEqualTo("2026-03-01T10:00:01.123456Z");
    }

    @Test
    void whatWasWrittenIsReadBack() throws IOException {
        Event event = Event.of("shop", "Placed")
                .key(AWKWARD)
                .sequence(7)
                .aggregate("order", AWKWARD)
                .tenant("acme")
                .header(AWKWARD, AWKWARD)
                .header("deep", "[1, null, {\"a\": \"]}\"}]")
                .payload(new byte[] {0, 1, 2}, "text/plain")
                .deliverAfter(Instant.parse("2026-02-02T00:00:00Z"))
                .build();
        String name = new ObjectMapper().writeValueAsString(AWKWARD);
        ArchivedEvent archived = new ArchivedEvent(
                new ArchivedEvent.Place(Long.MAX_VALUE, "18446744073709551615", 255, ArchivedEvents.FIRST),
                event,
                "{" + name + ": " + name + ", \"deep\": [1, null, {\"a\": \"]}\"}]}",
                Map.of("main", ArchivedEvents.FIRST, AWKWARD, ArchivedEvents.FIRST.plusSeconds(1)));

        assertThat(EventLine.parse(written(archived))).isEqualTo(archived);
        ArchivedEvent bare = ArchivedEvents.event(1);
        assertThat(EventLine.parse(written(bare))).isEqualTo(bare);
    }

    @Test
    void whatIsNotALineIsRefused() throws IOException {
        String line = written(ArchivedEvents.event(1)).strip();
        for (int length = 0; length < line.length(); length++) {
            String half = line.substring(0, length);
            assertThatThrownBy(() -> EventLine.parse(half)).as(half).isInstanceOf(IllegalArgumentException.class);
        }
        for (String other : List.of("[]", "{}", line + ",", "{\"a\":1]", "{\"a\"}")) {
            assertThatThrownBy(() -> EventLine.parse(other)).as(other).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whatAnEventDoesNotHaveIsLeftOut() throws IOException {
        Iterator<String> names = parsed(ArchivedEvents.event(1)).fieldNames();

        assertThat(names)
                .toIterable()
                .containsExactly(
                        "seq",
                        "created_at",
                        "id",
                        "tx",
                        "lane",
                        "domain",
                        "type",
                        "content_type",
                        "occurred_at",
                        "payload_base64");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 255, 48 * 1024 - 1, 48 * 1024, 48 * 1024 + 1, 96 * 1024, 1_000_003})
    void thePayloadIsExactWhateverItsLength(int length) throws IOException {
        byte[] payload = new byte[length];
        new Random(length).nextBytes(payload);
        Event event = Event.of("shop", "Placed")
                .payload(payload, "application/octet-stream")
                .build();

        String base64 =
                parsed(ArchivedEvents.event(1, event)).path("payload_base64").asText();

        assertThat(Base64.getDecoder().decode(base64)).isEqualTo(payload);
    }

    @Test
    void aLineBreakBetweenTheJsonOfAnotherIsRefused() {
        ArchivedEvent broken = new ArchivedEvent(
                new ArchivedEvent.Place(1, "1", 1, ArchivedEvents.FIRST),
                Event.of("shop", "Placed").build(),
                "{\n}",
                Map.of());

        assertThatThrownBy(() -> EventLine.write(broken, new ByteArrayOutputStream()))
                .hasMessageContaining("more than one line");
    }

    @Test
    void theHeadOfALineIsWithinItsLimit() throws IOException {
        ArchivedEvent longest = new ArchivedEvent(
                new ArchivedEvent.Place(Long.MAX_VALUE, "1", 1, Instant.parse("2026-03-01T10:00:00.123456Z")),
                Event.of("shop", "Placed").build(),
                null,
                Map.of());
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        EventLine.write(longest, line);

        assertThat(EventLine.head(line.toByteArray(), EventLine.HEAD_BYTES))
                .contains(new EventLine.Head(Long.MAX_VALUE, ArchivedEvents.FIRST));
        for (String other : List.of("", "{}", "{\"seq\":1,\"created_at\":\"then\",", "{\"seq\":9999999999999999999,")) {
            byte[] bytes = other.getBytes(StandardCharsets.UTF_8);
            assertThat(EventLine.head(bytes, bytes.length)).as(other).isEmpty();
        }
    }

    private static String written(ArchivedEvent archived) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        EventLine.write(archived, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static JsonNode parsed(ArchivedEvent archived) throws IOException {
        String line = written(archived);
        assertThat(line).endsWith("}\n");
        assertThat(line.lines()).hasSize(1);
        return new ObjectMapper().readTree(line);
    }
}
