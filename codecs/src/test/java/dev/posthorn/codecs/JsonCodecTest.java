package dev.posthorn.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonCodecTest {

    private final JsonCodec codec = new JsonCodec();

    record Order(String id, BigDecimal total, Instant placedAt, LocalDate due, Duration grace, OffsetDateTime local) {}

    private static final Order ORDER = new Order(
            "o-1",
            new BigDecimal("12.50"),
            Instant.parse("2026-01-02T03:04:05.678901Z"),
            LocalDate.parse("2026-02-01"),
            Duration.ofHours(36),
            OffsetDateTime.parse("2026-01-02T03:04:05+02:00"));

    @Test
    void timesAreIsoText() {
        assertThat(new String(codec.encode(ORDER), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"o-1\",\"total\":12.50,\"placedAt\":\"2026-01-02T03:04:05.678901Z\","
                        + "\"due\":\"2026-02-01\",\"grace\":\"PT36H\",\"local\":\"2026-01-02T03:04:05+02:00\"}");
    }

    @Test
    void whatAnEventCarriesComesBackEqual() {
        // Given
        Event event = Event.of("shop", "order.placed").payload(ORDER, codec).build();

        // When
        Order decoded = event.payloadAs(Order.class, codec);

        // Then
        assertThat(decoded).isEqualTo(ORDER);
        assertThat(event.contentType()).isEqualTo("application/json");
    }

    @Test
    void aFieldTheReaderDoesNotKnowIsSkipped() {
        byte[] newer = "{\"id\":\"o-1\",\"colour\":\"red\"}".getBytes(StandardCharsets.UTF_8);
        assertThat(codec.decode(newer, Order.class).id()).isEqualTo("o-1");
    }

    @Test
    void whatIsNoJsonOfThatTypeSaysWhy() {
        for (String payload : List.of("", "{", "[1]", "{\"total\":\"x\"}", "null")) {
            assertThatThrownBy(() -> codec.decode(payload.getBytes(StandardCharsets.UTF_8), Order.class))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("reject the event");
        }
    }

    @Test
    void aValueThatCanNotBeWrittenSaysWhichClass() {
        assertThatThrownBy(() -> codec.encode(new Object()))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("java.lang.Object");
    }
}
