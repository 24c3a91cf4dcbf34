package dev.posthorn.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.codecs.JsonCodec;
import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.event.PosthornException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistryTest {

    record Placed(String orderNo, long amount) {
        Placed {
            if (orderNo == null || amount <= 0) {
                throw new IllegalArgumentException("an order has a number and an amount above 0");
            }
        }
    }

    private static final String SCHEMA = """
            {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "integer", "minimum": 1}}}""";

    private final Registry registry = Registry.of(
            Mode.STRICT,
            List.of(
                    EventType.of("orders", "order.placed").aggregate("order"),
                    EventType.of("orders", "order.touched").payload(Contract.OPTIONAL),
                    EventType.of("orders", "order.paid").payload(JsonSchemaContract.of("paid.json", SCHEMA)),
                    EventType.of("orders", "order.sent").payload(Contract.of(Placed.class, new JsonCodec())),
                    EventType.of("orders", "order.sent").version(2)));

    @Test
    void whatIsRegisteredBreaksNothing() {
        assertThat(registry.check(placed().json("{}").build())).isEmpty();
        assertThat(registry.check(of("order.touched").build())).isEmpty();
        assertThat(registry.check(of("order.paid").json("{\"amount\": 5}").build()))
                .isEmpty();
        assertThat(registry.check(of("order.sent")
                        .header("event-version", "1")
                        .json("{\"orderNo\":\"1\",\"amount\":5}")
                        .build()))
                .isEmpty();
    }

    @Test
    void aPayloadThatIsHiddenWasCheckedBeforeAllElseIsCheckedStill() {
        byte[] hidden = {1, 2, 3};

        assertThat(registry.check(of("order.paid")
                        .payload(hidden, "application/vnd.posthorn.encrypted")
                        .build()))
                .isEmpty();
        assertThat(rules(Event.of("orders", "order.placed")
                        .payload(hidden, "application/vnd.posthorn.claim+json")
                        .build()))
                .containsExactly(Rule.WRONG_AGGREGATE_TYPE, Rule.MISSING_AGGREGATE_ID);
        assertThat(rules(of("order.paid").payload(hidden, "application/json").build()))
                .isNotEmpty();
    }

    @Test
    void anUnknownTypeIsNamed() {
        assertThat(registry.check(of("order.eaten").json("{}").build()))
                .containsExactly(new Violation(
                        Rule.UNKNOWN_TYPE, "type", "\"order.eaten\" is not in the registry; register it"));
        assertThat(registry.check(Event.of("stock", "order.placed").json("{}").build()))
                .containsExactly(
                        new Violation(Rule.WRONG_DOMAIN, "domain", "is \"stock\", but the type belongs to orders"));
        assertThat(rules(
                        of("order.sent").header("event-version", "3").json("{}").build()))
                .containsExactly(Rule.UNKNOWN_VERSION);
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        Event event = of("order.placed").json("null").build();

        assertThat(registry.check(event).stream().map(Violation::toString))
                .containsExactly(
                        "aggregateType is missing, but must be \"order\" (rule wrong-aggregate-type)",
                        "aggregateId is missing (rule missing-aggregate-id)",
                        "payload is the JSON null (rule null-payload)");
        assertThat(rules(of("order.placed").aggregate("stock", "1").json("{}").build()))
                .containsExactly(Rule.WRONG_AGGREGATE_TYPE);
        assertThat(rules(placed().build())).containsExactly(Rule.MISSING_PAYLOAD);
        assertThat(rules(placed().json(" null\n").build())).containsExactly(Rule.NULL_PAYLOAD);
        assertThat(rules(placed().json("\"null\"").build())).isEmpty();
    }

    @Test
    void aSchemaSaysWhereAPayloadIsWrong() {
        List<Violation> found =
                registry.check(of("order.paid").json("{\"amount\": 0}").build());

        assertThat(found).hasSize(1);
        assertThat(found.get(0).rule()).isEqualTo(Rule.INVALID_PAYLOAD);
        assertThat(found.get(0).where()).isEqualTo("payload/amount");
        assertThat(found.get(0).what()).contains("minimum value of 1");
        assertThat(registry.check(of("order.paid").json("{\n \"amount\": }").build()))
                .singleElement()
                .asString()
                .contains("line 2", "no JSON", "undecodable-payload");
    }

    @Test
    void aClassSaysWhatAPayloadLacks() {
        Event event = of("order.sent")
                .header("event-version", "1")
                .json("{\"orderNo\":\"1\"}")
                .build();

        assertThat(registry.check(event))
                .singleElement()
                .asString()
                .contains("undecodable-payload", "an order has a number and an amount above 0");
    }

    @Test
    void aWireTestIsNoEventOfTheSystem() {
        assertThat(registry.check(of("ping").header("wire-test", "1").build())).isEmpty();
    }

    @Test
    void aRegistryIsListedInOrderAndHasNothingTwice() {
        assertThat(registry.types().stream().map(EventType::name))
                .containsExactly(
                        "orders/order.paid version 1",
                        "orders/order.placed version 1",
                        "orders/order.sent version 1",
                        "orders/order.sent version 2",
                        "orders/order.touched version 1");
        assertThatThrownBy(() -> Registry.of(Mode.OFF, List.of(EventType.of("a", "b"), EventType.of("a", "b"))))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("a/b version 1 is in the registry twice");
    }

    @Test
    void whatIsNoSchemaIsNoContract() {
        for (String text :
                new String[] {"", "[]", "{", "{\"type\": \"object\", \"$ref\": \"https://elsewhere.invalid/x\"}"}) {
            assertThatThrownBy(() -> JsonSchemaContract.of("odd.json", text))
                    .as(text)
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("odd.json");
        }
    }

    private List<Rule> rules(Event event) {
        return registry.check(event).stream().map(Violation::rule).toList();
    }

    private static EventBuilder placed() {
        return of("order.placed").aggregate("order", "1").payload(new byte[0], "application/json");
    }

    private static EventBuilder of(String type) {
        return Event.of("orders", type);
    }
}
