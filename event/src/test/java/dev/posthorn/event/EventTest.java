package dev.posthorn.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventTest {

    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00.123456789Z");
    private static final UUID ID = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

    private final EventFactory events = new EventFactory(() -> ID, Clock.fixed(NOON, ZoneOffset.UTC));

    @Test
    void anEventNeedsOnlyADomainAndAType() {
        // When
        Event event = events.of("shop", "order.placed").build();

        // Then
        assertThat(event.id()).isEqualTo(ID);
        assertThat(event.domain()).isEqualTo("shop");
        assertThat(event.type()).isEqualTo("order.placed");
        assertThat(event.contentType()).isEqualTo("application/octet-stream");
        assertThat(event.payloadSize()).isZero();
        assertThat(event.headers()).isEmpty();
        assertThat(event.key()).isEmpty();
        assertThat(event.sequence()).isEmpty();
        assertThat(event.aggregateType()).isEmpty();
        assertThat(event.aggregateId()).isEmpty();
        assertThat(event.tenant()).isEmpty();
        assertThat(event.correlationId()).isEmpty();
        assertThat(event.causationId()).isEmpty();
        assertThat(event.traceparent()).isEmpty();
        assertThat(event.deliverAfter()).isEmpty();
    }

    @Test
    void everyFieldIsKept() {
        // When
        Event event = events.of("shop", "order.placed")
                .key("o-1")
                .sequence(3)
                .aggregate("order", "o-1")
                .tenant("acme")
                .correlationId("corr")
                .causationId("cause")
                .traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .header("a", "1")
                .headers(Map.of("b", "2"))
                .json("{\"ß\":1}")
                .build();

        // Then
        assertThat(event.key()).contains("o-1");
        assertThat(event.sequence()).hasValue(3);
        assertThat(event.aggregateType()).contains("order");
        assertThat(event.aggregateId()).contains("o-1");
        assertThat(event.tenant()).contains("acme");
        assertThat(event.correlationId()).contains("corr");
        assertThat(event.causationId()).contains("cause");
        assertThat(event.traceparent()).isPresent();
        assertThat(event.headers()).isEqualTo(Map.of("a", "1", "b", "2"));
        assertThat(event.contentType()).isEqualTo("application/json");
        assertThat(event.payloadBytes()).isEqualTo("{\"ß\":1}".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void timesAreKeptToTheMicrosecond() {
        // When
        Event event =
                events.of("shop", "placed").deliverAfter(NOON.plusSeconds(1)).build();

        // Then
        assertThat(event.occurredAt()).isEqualTo("2026-01-02T12:00:00.123456Z");
        assertThat(event.deliverAfter()).contains(Instant.parse("2026-01-02T12:00:01.123456Z"));
    }

    @Test
    void whatTheCallerChangesAfterwardsDoesNotReachTheEvent() {
        // Given
        byte[] payload = {1, 2, 3};
        Map<String, String> headers = new HashMap<>(Map.of("a", "1"));
        Event event = events.of("shop", "placed")
                .payload(payload, "application/x-raw")
                .headers(headers)
                .build();

        // When
        payload[0] = 9;
        headers.put("a", "9");
        event.payloadBytes()[1] = 9;

        // Then
        assertThat(event.payloadBytes()).containsExactly(1, 2, 3);
        assertThat(event.headers()).containsEntry("a", "1");
        assertThatThrownBy(() -> event.headers().put("b", "2")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theViewOfThePayloadIsReadOnlyAndFresh() {
        // Given
        Event event = events.of("shop", "placed").json("{}").build();

        // When
        ByteBuffer first = event.payload();
        first.get();

        // Then
        assertThat(event.payload().remaining()).isEqualTo(2);
        assertThatThrownBy(() -> event.payload().put((byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
    }

    @Test
    void eventsAreEqualIfAllTheirFieldsAndBytesAre() {
        Event event = events.of("shop", "placed").json("{}").build();
        assertThat(event).isEqualTo(events.of("shop", "placed").json("{}").build());
        assertThat(event)
                .hasSameHashCodeAs(events.of("shop", "placed").json("{}").build());
        assertThat(event).isNotEqualTo(events.of("shop", "placed").json("{ }").build());
        assertThat(event).isNotEqualTo(events.of("shop", "paid").json("{}").build());
    }

    @Test
    void aHeaderMoreLeavesAllElseAsItWas() {
        Event event = events.of("shop", "placed").header("h", "1").json("{}").build();

        Event marked = event.withHeader("replay", "x").withHeader("h", "2");

        assertThat(marked.headers()).isEqualTo(Map.of("h", "2", "replay", "x"));
        assertThat(event.headers()).isEqualTo(Map.of("h", "1"));
        assertThat(marked.id()).isEqualTo(event.id());
        assertThat(marked.payloadBytes()).isEqualTo(event.payloadBytes());
    }

    @Test
    void otherBytesOrAHeaderLessLeaveAllElseAsItWas() {
        Event event = events.of("shop", "placed").header("h", "1").json("{}").build();

        Event other = event.withPayload(new byte[] {0, 1}, "text/plain").withoutHeader("h");

        assertThat(other.payloadBytes()).containsExactly(0, 1);
        assertThat(other.contentType()).isEqualTo("text/plain");
        assertThat(other.headers()).isEmpty();
        assertThat(other.id()).isEqualTo(event.id());
        assertThat(other.occurredAt()).isEqualTo(event.occurredAt());
        assertThat(event.payloadBytes()).isEqualTo("{}".getBytes(UTF_8));
        assertThat(event.headers()).containsKey("h");
    }

    @Test
    void aHeaderThatIsNotThereCanNotBeTakenAway() {
        Event event = events.of("shop", "placed").header("h", "1").json("{}").build();

        assertThat(event.withoutHeader("other")).isSameAs(event);
    }

    @Test
    void whatItFollowsFromAndItsTraceCanBeSaidLater() {
        String traceparent = "00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01";
        Event event = events.of("shop", "placed").tenant("acme").json("{}").build();

        Event other = event.following("request-7", "message-3").withTraceparent(traceparent);

        assertThat(other.correlationId()).contains("request-7");
        assertThat(other.causationId()).contains("message-3");
        assertThat(other.traceparent()).contains(traceparent);
        assertThat(other.tenant()).contains("acme");
        assertThat(other.payloadBytes()).isEqualTo(event.payloadBytes());
        assertThat(event.traceparent()).isEmpty();
    }

    @Test
    void inLogsAnEventShowsWhichItIsAndNothingItCarries() {
        Event event = events.of("shop", "placed")
                .key("k")
                .header("h", "secret")
                .json("\"secret\"")
                .build();
        assertThat(event).hasToString("Event[" + ID + " shop/placed key=k]");
    }

    @Test
    void theSystemsFactoryGivesEveryEventItsOwnId() {
        assertThat(Event.of("shop", "placed").build().id())
                .isNotEqualTo(Event.of("shop", "placed").build().id());
    }

    @Test
    void aTenantMayBeASubsidiaryOfAGroup() {
        Event lagos = Event.of("shop", "placed").tenant("acme/lagos/east").build();
        Event plain = Event.of("shop", "placed").tenant("acme").build();
        Event nobody = Event.of("shop", "placed").build();

        assertThat(lagos.group()).contains("acme");
        assertThat(lagos.subsidiary()).contains("lagos/east");
        assertThat(plain.group()).contains("acme");
        assertThat(plain.subsidiary()).isEmpty();
        assertThat(nobody.group()).isEmpty();
        assertThat(nobody.subsidiary()).isEmpty();
        assertThat(lagos.isOfTenant(Set.of("acme/*"))).isTrue();
        assertThat(lagos.isOfTenant(Set.of("acme/lagos/east"))).isTrue();
        assertThat(lagos.isOfTenant(Set.of("acme", "acme/lagos", "acme/lagos/*", "*", "acm/*")))
                .isFalse();
        assertThat(plain.isOfTenant(Set.of("acme/*"))).isTrue();
        assertThat(nobody.isOfTenant(Set.of("acme/*", "/*"))).isFalse();
    }
}
