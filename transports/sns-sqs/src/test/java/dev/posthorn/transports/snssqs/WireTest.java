package dev.posthorn.transports.snssqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WireTest {

    private static Event of(byte[] payload) {
        return Event.of("orders", "Placed")
                .key("k")
                .payload(payload, "text/plain")
                .build();
    }

    private static Event read(Wire wire) {
        return EventMessage.read(wire.message());
    }

    /** As SNS wraps it unless raw delivery is set. */
    private static String wrapped(Wire wire) {
        Map<String, Object> notification = new LinkedHashMap<>();
        notification.put("Type", "Notification");
        notification.put("MessageId", "m-1");
        notification.put("TopicArn", "arn:aws:sns:eu-central-1:123456789012:orders.fifo");
        notification.put("Message", wire.text());
        notification.put(
                "MessageAttributes",
                wire.attributes().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, one -> Map.of("Type", "String", "Value", one.getValue()))));
        return Wire.json(notification);
    }

    @Test
    void textTravelsAsItIsForReadersWhoKnowNothingOfPosthorn() {
        Wire wire = Wire.of(of("{\"é\": \"😀\"}\n".getBytes(UTF_8)));

        assertThat(wire.text()).isEqualTo("{\"é\": \"😀\"}\n");
        assertThat(wire.attributes()).containsOnlyKeys("posthorn-domain", "posthorn-type", "posthorn-event");
    }

    @Test
    void whatAmazonTakesForNoTextTravelsAsBase64() {
        for (byte[] bytes : new byte[][] {{0}, {}, {(byte) 0xC3, 0x28}, {'a', '\r', '\n'}, "\uFFFE".getBytes(UTF_8)}) {
            Wire wire = Wire.of(of(bytes));

            assertThat(wire.text()).matches("[A-Za-z0-9+/=]+");
            assertThat(read(wire).payloadBytes()).isEqualTo(bytes);
        }
    }

    @Test
    void aNotificationOfSnsIsReadAsWhatIsInIt() {
        Event event = of("hello".getBytes(UTF_8));

        assertThat(read(Wire.received(wrapped(Wire.of(event)), Map.of()))).isEqualTo(event);
    }

    @Test
    void anEventWhosePayloadLooksLikeANotificationIsNotUnwrapped() {
        Event event = of(wrapped(Wire.of(of("inner".getBytes(UTF_8)))).getBytes(UTF_8));
        Wire sent = Wire.of(event);

        assertThat(read(Wire.received(sent.text(), sent.attributes()))).isEqualTo(event);
        assertThat(read(Wire.received(wrapped(sent), Map.of()))).isEqualTo(event);
    }

    @Test
    void aStrangerMayPutTheHeadersIntoAttributesOfTheirOwn() {
        Map<String, String> attributes = Map.of(
                "posthorn-id", "01890a5d-ac96-774b-bcce-b302099a8057",
                "posthorn-domain", "orders",
                "posthorn-type", "Placed",
                "content-type", "text/plain",
                "posthorn-occurred-at", "2026-01-01T00:00:00Z");

        Event event = read(Wire.received("hello", attributes));

        assertThat(event.type()).isEqualTo("Placed");
        assertThat(event.payloadBytes()).isEqualTo("hello".getBytes(UTF_8));
    }

    @Test
    void damagedBase64OrHeadersAreNoEvent() {
        Wire good = Wire.of(of(new byte[] {0}));
        Map<String, String> broken = new LinkedHashMap<>(good.attributes());
        broken.put(Wire.EVENT, "[1]");

        assertThatThrownBy(() -> read(new Wire("%%%", good.attributes()))).isInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> read(new Wire(good.text(), broken))).isInstanceOf(UndecodableException.class);
    }

    @Test
    void deeplyNestedNonsenseIsKeptAsItCame() {
        String hostile = "{\"a\":".repeat(50_000);

        Message message = Wire.received(hostile, Map.of()).message();

        assertThat(message.headers()).isEmpty();
        assertThat(message.body()).isEqualTo(hostile.getBytes(UTF_8));
    }
}
