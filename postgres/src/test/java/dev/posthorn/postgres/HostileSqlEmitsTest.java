package dev.posthorn.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.HostileValues;
import dev.posthorn.testkit.HostileValues.Payload;
import dev.posthorn.testkit.HostileValues.Text;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every field of an event that SQL emits, with hostile values: it arrives intact, or Postgres or the log refuses it.
 *
 * <p>Values are sent as bytes, so that no driver makes them harmless; an unpaired surrogate has its three bytes.
 */
@Tag("exact")
@Timeout(300)
class HostileSqlEmitsTest {

    private static final String TEXT = "convert_from(?::bytea, 'UTF8')";
    /** Postgres itself refuses to read the value: no text, no number, no JSON, too deep, too large. */
    private static final Set<String> UNREADABLE =
            Set.of("22021", "22P02", "22P05", "22003", "22007", "22008", "22009", "22023", "54000", "54001");

    private static final Map<String, Function<Event, Optional<String>>> FIELDS = fields();

    private static Map<String, Function<Event, Optional<String>>> fields() {
        Map<String, Function<Event, Optional<String>>> fields = new LinkedHashMap<>();
        fields.put("domain", event -> Optional.of(event.domain()));
        fields.put("type", event -> Optional.of(event.type()));
        fields.put("key", Event::key);
        fields.put("aggregate_type", Event::aggregateType);
        fields.put("aggregate_id", Event::aggregateId);
        fields.put("tenant", Event::tenant);
        fields.put("correlation_id", Event::correlationId);
        fields.put("causation_id", Event::causationId);
        fields.put("traceparent", Event::traceparent);
        fields.put("content_type", event -> Optional.of(event.contentType()));
        return fields;
    }

    /** How an event gets into the log. */
    enum Way {
        EMIT {
            @Override
            String sql(Map<String, String> fields) {
                return call("emit", fields);
            }
        },
        EMIT_ONCE {
            @Override
            String sql(Map<String, String> fields) {
                return call("emit_once", fields);
            }
        },
        INSERT {
            @Override
            String sql(Map<String, String> fields) {
                return "INSERT INTO posthorn.outbox (" + String.join(", ", fields.keySet()) + ") VALUES ("
                        + String.join(", ", fields.values()) + ")";
            }
        };

        abstract String sql(Map<String, String> fields);

        private static String call(String function, Map<String, String> fields) {
            return "SELECT posthorn." + function + "("
                    + String.join(
                            ", ",
                            fields.entrySet().stream()
                                    .map(field -> field.getKey() + " => " + field.getValue())
                                    .toList())
                    + ")";
        }
    }

    /** An event with one hostile field, whose expression has the value as its parameter. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Emit(Way way, UUID id, String field, String expression, byte[] value) {

        void run(Connection connection) throws SQLException {
            Map<String, String> fields = new LinkedHashMap<>();
            fields.put("id", "'" + id + "'::uuid");
            fields.put("domain", "'shop'");
            fields.put("type", "'Placed'");
            fields.put("payload", "'x'::bytea");
            fields.put(field, expression);
            try (PreparedStatement statement = connection.prepareStatement(way.sql(fields))) {
                statement.setBytes(1, value);
                statement.execute();
            }
        }
    }

    /** What is to hold of events that were accepted; looked at when all are emitted, so that many are under way at once. */
    private final List<Runnable> arrivals = new ArrayList<>();

    private int arrive() {
        arrivals.forEach(Runnable::run);
        return arrivals.size();
    }

    /** Emits it; true if it was accepted, and then this must hold at the far end. The field or Postgres says why it was not. */
    private boolean emitted(ControlStream control, String what, Emit emit, Consumer<Event> intact) {
        Exception refusal = control.tried(emit::run);
        if (refusal == null) {
            arrivals.add(() -> intact.accept(control.await(emit.id())));
            return true;
        }
        assertThat(refusal).as(what).isInstanceOf(SQLException.class);
        String state = Objects.requireNonNull(((SQLException) refusal).getSQLState());
        if (!UNREADABLE.contains(state)) {
            assertThat(state).as("%s: %s", what, refusal.getMessage()).isEqualTo("23514");
            assertThat(refusal.getMessage())
                    .as(what)
                    .contains("is invalid: ", emit.field().equals("headers") ? "header" : emit.field())
                    .hasSizeLessThan(3_000);
        }
        return false;
    }

    private static List<Text> texts() {
        List<Text> texts = new ArrayList<>(HostileValues.texts());
        texts.add(HostileValues.large(1));
        texts.add(new Text("10 MB without NUL", "x".repeat(10 << 20)));
        return texts;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void everyTextArrivesIntactOrIsRefusedByItsField(Way way) throws InterruptedException {
        try (ControlStream control = new ControlStream()) {
            for (Text text : texts()) {
                byte[] bytes = bytes(text.value());
                FIELDS.forEach((field, value) -> {
                    String what = text + " as " + field + " by " + way;
                    boolean unused = emitted(
                            control,
                            what,
                            new Emit(way, UUID.randomUUID(), field, TEXT, bytes),
                            got -> assertThat(value.apply(got)).as(what).hasValue(text.value()));
                });
            }
            assertThat(arrive()).as("texts that arrived").isGreaterThan(150);
            control.endsWell(20);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void everyHeaderArrivesIntactOrIsRefused(Way way) throws InterruptedException {
        try (ControlStream control = new ControlStream()) {
            for (Text text : texts()) {
                String what = text + " as a header by " + way;
                byte[] bytes = bytes(text.value());
                boolean named = emitted(
                        control,
                        what,
                        header(way, "jsonb_build_object(" + TEXT + ", 'v')", bytes),
                        got -> assertThat(got.headers()).as(what).isEqualTo(Map.of(text.value(), "v")));
                boolean valued = emitted(
                        control,
                        what,
                        header(way, "jsonb_build_object('h', " + TEXT + ")", bytes),
                        got -> assertThat(got.headers()).as(what).isEqualTo(Map.of("h", text.value())));
                assertThat(named).as(what).isEqualTo(valued && !text.value().isEmpty());
            }
            Map<String, @Nullable Map<String, String>> json = new LinkedHashMap<>();
            json.put("{\"a\":1,\"a\":2}", Map.of("a", "2"));
            json.put("{\"a\":1e400}", Map.of("a", "1" + "0".repeat(400)));
            json.put("{\"a\":{\"b\":[null,true]}}", Map.of("a", "{\"b\": [null, true]}"));
            json.put("{\"a\":null}", Map.of("a", ""));
            json.put("{\"a\":1e999999}", null);
            json.put("{\"a\\u0000b\":1}", null);
            json.put("{\"a\":\"\\ud83d\"}", null);
            json.put("{\"\":1}", null);
            json.put("[1]", null);
            json.put("\"text\"", null);
            json.put("{\"a\":", null);
            String deep = "[".repeat(10_000) + "]".repeat(10_000);
            json.put("{\"a\":" + deep + "}", Map.of("a", deep));
            json.put("{\"a\":" + "[".repeat(1_000_000) + "}", null);
            json.forEach((text, expected) -> {
                String what = text.substring(0, Math.min(30, text.length())) + " by " + way;
                Emit emit = header(way, TEXT + "::jsonb", bytes(text));
                boolean accepted = emitted(
                        control,
                        what,
                        emit,
                        got -> assertThat(got.headers()).as(what).isEqualTo(expected));
                assertThat(accepted).as(what).isEqualTo(expected != null);
            });
            assertThat(arrive()).as("headers that arrived").isGreaterThan(50);
            control.endsWell(20);
        }
    }

    private static Emit header(Way way, String expression, byte[] value) {
        return new Emit(way, UUID.randomUUID(), "headers", expression, value);
    }

    @Test
    void everyPayloadArrivesByteForByteOrIsRefused() throws InterruptedException {
        try (ControlStream control = new ControlStream()) {
            List<Payload> payloads = new ArrayList<>(HostileValues.payloads());
            payloads.add(new Payload("10 MB", bytes("\u00FF".repeat(5 << 20)), "text/plain"));
            for (Payload payload : payloads) {
                for (Way way : Way.values()) {
                    emit(control, payload, way, "?::bytea");
                    if (way != Way.INSERT) {
                        emit(control, payload, way, TEXT);
                        emit(control, payload, way, TEXT + "::json");
                        emit(control, payload, way, TEXT + "::jsonb");
                    }
                }
            }
            assertThat(arrive()).as("payloads that arrived").isGreaterThan(payloads.size() * 3);
            control.endsWell(20);
        }
    }

    private void emit(ControlStream control, Payload payload, Way way, String expression) {
        String what = payload + " as " + expression + " by " + way;
        Emit emit = new Emit(way, UUID.randomUUID(), "payload", expression, payload.bytes());
        boolean unused = emitted(control, what, emit, got -> {
            if (expression.endsWith("::jsonb")) { // as Postgres writes it
                String stored = "SELECT payload = convert_to((convert_from(payload, 'UTF8')::jsonb)::text, 'UTF8')"
                        + " FROM posthorn.outbox WHERE id = '" + emit.id() + "'";
                assertThat(control.harness.rows(stored)).as(what).containsExactly("t");
            } else {
                assertThat(got.payloadBytes()).as(what).isEqualTo(payload.bytes());
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void everyNumberAndTimeArrivesIntactOrIsRefused(Way way) throws InterruptedException {
        try (ControlStream control = new ControlStream()) {
            for (String number :
                    List.of("-9223372036854775808", "9223372036854775807", "9223372036854775808", "1e400")) {
                Emit emit = new Emit(way, UUID.randomUUID(), "sequence", TEXT + "::numeric::bigint", bytes(number));
                boolean accepted = emitted(
                        control,
                        number,
                        emit,
                        got -> assertThat(Long.toString(got.sequence().orElseThrow()))
                                .isEqualTo(number));
                assertThat(accepted).as(number).isEqualTo(number.endsWith("7") || number.startsWith("-"));
            }
            for (String time : List.of("infinity", "-infinity", "294276-01-01", "4713-01-01 BC", "10000-01-01Z")) {
                for (String field : List.of("occurred_at", "deliver_after")) {
                    Emit emit = new Emit(way, UUID.randomUUID(), field, TEXT + "::timestamptz", bytes(time));
                    assertThat(emitted(control, time + " as " + field, emit, got -> {}))
                            .as("%s as %s", time, field)
                            .isFalse();
                }
            }
            Emit last = new Emit(
                    way,
                    UUID.randomUUID(),
                    "occurred_at",
                    TEXT + "::timestamptz",
                    bytes("9999-12-31 23:59:59.999999Z"));
            boolean accepted = emitted(
                    control,
                    "the last time",
                    last,
                    got -> assertThat(got.occurredAt()).hasToString("9999-12-31T23:59:59.999999Z"));
            assertThat(accepted).isTrue();
            assertThat(arrive()).isEqualTo(3);
            control.endsWell(5);
        }
    }

    /** In UTF-8, but with unpaired surrogates as if they were characters. */
    private static byte[] bytes(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        text.codePoints().forEach(point -> {
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                bytes.write(0xE0 | (point >> 12));
                bytes.write(0x80 | ((point >> 6) & 0x3F));
                bytes.write(0x80 | (point & 0x3F));
            } else {
                bytes.writeBytes(Character.toString(point).getBytes(UTF_8));
            }
        });
        return bytes.toByteArray();
    }
}
