package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventMessageTest {

    private static final Event FULL = Event.of("orders", "order.placed")
            .key("k")
            .sequence(-1)
            .aggregate("order", "17")
            .tenant("t")
            .correlationId("c")
            .causationId("d")
            .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .headers(Map.of(
                    "plain", "1", "x-death", "2", "BCC", "3", "posthorn-id", "4", "traceparent", "5", "a,b\n", "6"))
            .occurredAt(Instant.parse("2026-01-02T03:04:05.123456Z"))
            .deliverAfter(Instant.parse("2027-01-01T00:00:00Z"))
            .payload(new byte[] {0, (byte) 0xFF}, "application/octet-stream")
            .build();

    @Test
    void whatComesBackIsWhatWentIn() {
        Event bare = Event.of("orders", "order.placed").build();

        assertThat(EventMessage.read(EventMessage.of(FULL))).isEqualTo(FULL);
        assertThat(EventMessage.read(EventMessage.of(bare))).isEqualTo(bare);
    }

    @Test
    void headersThatABrokerCouldTakeForItsOwnDoNotTravelUnderTheirNames() {
        Map<String, String> headers = EventMessage.of(FULL).headers();

        assertThat(headers).containsEntry("plain", "1").doesNotContainKeys("x-death", "BCC");
        assertThat(headers).containsEntry(EventMessage.ID, FULL.id().toString());
    }

    @Test
    void whatOthersAddToTheHeadersIsNoPartOfTheEvent() {
        Map<String, String> headers = new HashMap<>(EventMessage.of(FULL).headers());
        headers.put("x-received-by", "someone");
        headers.put("b3", "0");

        assertThat(EventMessage.read(new Message(headers, FULL.payloadBytes()))).isEqualTo(FULL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "posthorn-id",
                "posthorn-domain",
                "posthorn-type",
                "posthorn-occurred-at",
                "content-type",
                "plain"
            })
    void aMissingHeaderIsNamed(String name) {
        Map<String, String> headers = new HashMap<>(EventMessage.of(FULL).headers());
        headers.remove(name);

        assertThatThrownBy(() -> EventMessage.read(new Message(headers, new byte[0])))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "posthorn-id",
                "posthorn-domain",
                "posthorn-sequence",
                "posthorn-occurred-at",
                "posthorn-deliver-after",
                "traceparent"
            })
    void aMalformedHeaderMakesItUndecodable(String name) {
        Map<String, String> headers = new HashMap<>(EventMessage.of(FULL).headers());
        headers.put(name, "\u0000 nonsense");

        assertThatThrownBy(() -> EventMessage.read(new Message(headers, new byte[0])))
                .isInstanceOf(UndecodableException.class);
    }
}
