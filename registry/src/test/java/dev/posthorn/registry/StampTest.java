package dev.posthorn.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.codecs.JsonCodec;
import dev.posthorn.event.Event;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.EmitStep;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transports.memory.MemoryTransport;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What was checked at emit is not parsed again at publish, and all else is. */
class StampTest {

    private static final Event PAID =
            Event.of("orders", "order.paid").json("{\"amount\":1}").build();

    record Line(String article, int count) {}

    record Order(String number, List<Line> lines) {}

    enum Colour {
        RED,
        GREEN
    }

    record Car(Colour colour) {}

    record Wheel(int colour) {}

    /** Nothing here reaches a database. */
    private final Connection connection = (Connection) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    private final AtomicInteger checks = new AtomicInteger();
    private final List<Event> published = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();

    @Test
    void whatWasCheckedAtEmitIsNotCheckedAtPublish() {
        publish(emitted(PAID, "v1", Mode.STRICT), registry("v1", Mode.STRICT));

        assertThat(checks).as("by the emit alone").hasValue(1);
        assertThat(published).containsExactly(PAID);
    }

    @Test
    void whatNobodySaidToHaveCheckedIsChecked() {
        publish(PAID, registry("v1", Mode.STRICT));

        assertThat(checks).hasValue(1);
        assertThat(published).containsExactly(PAID);
    }

    @Test
    void aPayloadThatChangedSinceIsChecked() {
        Event changed = emitted(PAID, "v1", Mode.STRICT)
                .withPayload("{\"amount\":2}".getBytes(StandardCharsets.UTF_8), "application/json");

        publish(changed, registry("v1", Mode.STRICT));

        assertThat(checks).hasValue(2);
    }

    @Test
    void whatAnotherContractAllowedIsChecked() {
        publish(emitted(PAID, "v1", Mode.STRICT), registry("v2", Mode.STRICT));

        assertThat(checks).hasValue(2);
    }

    @Test
    void aStampThatIsNoneIsNotBelieved() {
        long real = emitted(PAID, "v1", Mode.STRICT).stamp();
        List<Long> none = List.of(1L, -1L, real + 1, real ^ Long.MIN_VALUE, real << 32, real >>> 32);

        for (long stamp : none) {
            publish(PAID.withStamp(stamp), registry("v1", Mode.STRICT));
        }

        assertThat(checks).hasValue(1 + none.size());
    }

    @Test
    void aContractWithoutAnIdentityIsCheckedEachTime() {
        Event emitted = emitted(PAID, "", Mode.STRICT);
        publish(emitted, registry("", Mode.STRICT));

        assertThat(checks).hasValue(2);
        assertThat(emitted.stamp()).isZero();
    }

    @Test
    void aStampSaysNothingOfTypeVersionAndAggregate() {
        Event stamped = emitted(PAID, "v1", Mode.STRICT);

        publish(stamped, Registry.of(Mode.STRICT, List.of(EventType.of("orders", "order.eaten"))));
        publish(stamped.withHeader("event-version", "9"), registry("v1", Mode.STRICT));
        publish(
                stamped,
                Registry.of(
                        Mode.STRICT,
                        List.of(EventType.of("orders", "order.paid")
                                .aggregate("order")
                                .payload(counting("v1")))));

        assertThat(published).isEmpty();
        assertThat(outcomes.toString()).contains("unknown-type", "unknown-version", "wrong-aggregate-type");
    }

    @Test
    void whatPassedWithAWarningOrUncheckedHasNoStamp() {
        Event wrong = Event.of("orders", "order.paid").json("wrong").build();

        assertThat(emitted(wrong, "v1", Mode.WARN).stamp()).isZero();
        assertThat(emitted(PAID, "v1", Mode.OFF).stamp()).isZero();
        assertThat(emitted(PAID, "v1", Mode.WARN).stamp()).isNotZero();
    }

    @Test
    void aPayloadThatIsHiddenBeforeTheCheckHasNoStamp() {
        Event hidden = Event.of("orders", "order.paid")
                .payload(new byte[] {1}, "application/vnd.posthorn.encrypted")
                .build();

        assertThat(emitted(hidden, "v1", Mode.STRICT).stamp()).isZero();
    }

    @Test
    void aPayloadThatIsHiddenAfterTheCheckPassesUnread() {
        List<Event> log = new ArrayList<>();
        EmitStep hide =
                EmitStep.onEach(event -> event.withPayload(new byte[] {1}, "application/vnd.posthorn.encrypted"));
        new CheckedOutbox(hide.before(new ListOutbox(log)), registry("v1", Mode.STRICT)).emit(connection, PAID);

        publish(log.get(0), registry("v1", Mode.STRICT));

        assertThat(checks).hasValue(1);
        assertThat(published).hasSize(1);
        assertThat(log.get(0).stamp()).as("nobody has looked into these bytes").isZero();
    }

    @Test
    void aStampIsNoPartOfTheEvent() {
        Event stamped = emitted(PAID, "v1", Mode.STRICT);

        assertThat(stamped).isEqualTo(PAID).hasSameHashCodeAs(PAID);
        assertThat(stamped.headers()).isEmpty();
        assertThat(stamped.withHeader("source", "till").stamp()).isEqualTo(stamped.stamp());
    }

    @Test
    void schemasAreTheSameByTheirText() {
        assertThat(JsonSchemaContract.of("a.json", "{}").identity())
                .isEqualTo(JsonSchemaContract.of("b.json", "{}").identity())
                .isNotEqualTo(
                        JsonSchemaContract.of("a.json", "{\"type\":\"object\"}").identity());
    }

    @Test
    void classesAreTheSameByNameAndShapeAndCodec() {
        JsonCodec json = new JsonCodec();
        PayloadCodec other = new PayloadCodec() {
            @Override
            public String contentType() {
                return json.contentType();
            }

            @Override
            public byte[] encode(Object value) {
                return json.encode(value);
            }

            @Override
            public <T> T decode(byte[] payload, Class<T> type) {
                return json.decode(payload, type);
            }
        };

        assertThat(Contract.of(Order.class, json).identity())
                .isEqualTo(Contract.of(Order.class, new JsonCodec()).identity())
                .isNotEqualTo(Contract.of(Order.class, other).identity())
                .isNotEqualTo(Contract.of(Line.class, json).identity());
        assertThat(Shape.of(Order.class))
                .startsWith(Order.class.getName() + "(number java.lang.String ,lines java.util.List<")
                .contains(Line.class.getName() + "(article java.lang.String ,count int ,)");
        assertThat(Shape.of(Car.class)).contains("RED", "GREEN").isNotEqualTo(Shape.of(Wheel.class));
    }

    // ---- hands

    /** As it would stand in the log. */
    private Event emitted(Event event, String identity, Mode mode) {
        List<Event> log = new ArrayList<>();
        new CheckedOutbox(new ListOutbox(log), registry(identity, mode)).emit(connection, event);
        return log.get(0);
    }

    private void publish(Event event, Registry registry) {
        new CheckedPublisher(MemoryTransport.direct(published::add).publisher(), registry)
                .publish(List.of(new Publication() {
                    @Override
                    public Event event() {
                        return event;
                    }

                    @Override
                    public int attempt() {
                        return 1;
                    }

                    @Override
                    public void settle(Outcome outcome) {
                        outcomes.add(outcome);
                    }
                }));
    }

    private Registry registry(String identity, Mode mode) {
        return Registry.of(mode, List.of(EventType.of("orders", "order.paid").payload(counting(identity))));
    }

    private Contract counting(String identity) {
        return new Contract() {
            @Override
            public String describe() {
                return "counting";
            }

            @Override
            public Optional<String> identity() {
                return Optional.of(identity).filter(text -> !text.isEmpty());
            }

            @Override
            public List<Violation> check(Event event) {
                checks.incrementAndGet();
                return event.payloadSize() == 5
                        ? List.of(new Violation(Rule.INVALID_PAYLOAD, "payload", "is wrong"))
                        : List.of();
            }
        };
    }

    /** Keeps what is emitted. */
    private record ListOutbox(List<Event> log) implements Outbox {

        @Override
        public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
            log.addAll(events);
            return Emission.NOTHING;
        }

        @Override
        public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
            throw new UnsupportedOperationException();
        }
    }
}
