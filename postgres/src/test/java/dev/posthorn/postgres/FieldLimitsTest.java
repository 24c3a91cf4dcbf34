package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.event.InvalidEventException.Fault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Every field has the same limit in Java and in SQL, and what is beyond it is refused with the same sentence. */
class FieldLimitsTest {

    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    /** A text field, by the name that SQL gives it. */
    @SuppressWarnings("ImmutableEnumChecker") // the setters have no state
    private enum Field {
        DOMAIN((event, value) -> {}),
        TYPE((event, value) -> {}),
        KEY(EventBuilder::key),
        AGGREGATE_TYPE((event, value) -> event.aggregate(value, "17")),
        AGGREGATE_ID((event, value) -> event.aggregate("order", value)),
        TENANT(EventBuilder::tenant),
        CORRELATION_ID(EventBuilder::correlationId),
        CAUSATION_ID(EventBuilder::causationId),
        TRACEPARENT(EventBuilder::traceparent),
        CONTENT_TYPE((event, value) -> event.payload(new byte[] {1}, value));

        private final BiConsumer<EventBuilder, String> set;

        Field(BiConsumer<EventBuilder, String> set) {
            this.set = set;
        }

        String column() {
            return name().toLowerCase(Locale.ROOT);
        }

        void emitInJava(String value) {
            EventBuilder event = Event.of(this == DOMAIN ? value : "shop", this == TYPE ? value : "order.placed");
            set.accept(event, value);
            event.build();
        }
    }

    private static TestPostgres postgres;

    @BeforeAll
    static void createDatabase() {
        postgres = TestPostgres.migrated();
    }

    static Stream<Arguments> atTheLimit() {
        Stream<Arguments> names = Stream.of(Field.DOMAIN, Field.TYPE).map(f -> Arguments.of(f, "x".repeat(200)));
        Stream<Arguments> indexed = Stream.of(Field.KEY, Field.AGGREGATE_TYPE, Field.AGGREGATE_ID)
                .flatMap(f -> Stream.of("x".repeat(1_000), "ß".repeat(500), "😀".repeat(250))
                        .map(value -> Arguments.of(f, value)));
        Stream<Arguments> texts = Stream.of(Field.TENANT, Field.CORRELATION_ID, Field.CAUSATION_ID, Field.CONTENT_TYPE)
                .flatMap(f -> Stream.of("x", "x".repeat(1_000), "ß".repeat(1_000), "😀".repeat(1_000))
                        .map(value -> Arguments.of(f, value)));
        Stream<Arguments> traces = Stream.of(TRACE, TRACE + "-" + "x".repeat(199 - TRACE.length()))
                .map(value -> Arguments.of(Field.TRACEPARENT, value));
        return Stream.of(names, indexed, texts, traces).flatMap(any -> any);
    }

    static Stream<Arguments> beyondTheLimit() {
        Stream<Arguments> names = Stream.of(Field.DOMAIN, Field.TYPE)
                .flatMap(f -> Stream.of("", "x".repeat(201), "with space", "ü", "a\n", "😀".repeat(61))
                        .map(value -> Arguments.of(f, value)));
        Stream<Arguments> indexed = Stream.of(Field.KEY, Field.AGGREGATE_TYPE, Field.AGGREGATE_ID)
                .flatMap(f -> Stream.of("", "x".repeat(1_001), "ß".repeat(501), "😀".repeat(251), "ß".repeat(1_001))
                        .map(value -> Arguments.of(f, value)));
        Stream<Arguments> texts = Stream.of(Field.TENANT, Field.CORRELATION_ID, Field.CAUSATION_ID, Field.CONTENT_TYPE)
                .flatMap(f -> Stream.of(
                                "", "x".repeat(1_001), "ß".repeat(1_001), "😀".repeat(1_001), "x".repeat(3_000_000))
                        .map(value -> Arguments.of(f, value)));
        Stream<Arguments> traces = Stream.of(
                        "",
                        "00-xyz",
                        TRACE.replace('a', '-'),
                        TRACE.toUpperCase(Locale.ROOT),
                        TRACE + "ß",
                        TRACE + "\n",
                        TRACE + "-" + "x".repeat(200 - TRACE.length()))
                .map(value -> Arguments.of(Field.TRACEPARENT, value));
        return Stream.of(names, indexed, texts, traces).flatMap(any -> any);
    }

    @ParameterizedTest
    @MethodSource("atTheLimit")
    void aValueAtTheLimitIsTakenInJavaAndInSql(Field field, String value) {
        assertThatCode(() -> field.emitInJava(value)).doesNotThrowAnyException();
        assertThatCode(() -> insert(field.column(), "?", value)).doesNotThrowAnyException();
        assertThatCode(() -> emit(field.column(), value)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("beyondTheLimit")
    void aValueBeyondTheLimitIsRefusedInJavaAndInSqlWithTheSameSentence(Field field, String value) {
        // When
        Fault inJava = catchThrowableOfType(InvalidEventException.class, () -> field.emitInJava(value))
                .faults()
                .get(0);
        ServerErrorMessage inserted = refusal(() -> insert(field.column(), "?", value));
        ServerErrorMessage emitted = refusal(() -> emit(field.column(), value));

        // Then
        String sentence =
                "is invalid: " + field.column() + " " + inJava.why() + ". Nothing was emitted; correct the event";
        assertThat(inserted.getMessage()).contains(sentence).hasSizeLessThan(1_000);
        assertThat(emitted.getMessage()).contains(sentence);
        assertThat(inserted.getSQLState()).isEqualTo("23514");
        String rule = field.name().startsWith("AGGREGATE") ? "aggregate" : field.column();
        assertThat(inserted.getConstraint()).isEqualTo("outbox_" + rule + "_valid");
    }

    @Test
    void headersHaveTheSameLimitsInJavaAndInSql() throws SQLException {
        Map<String, String> hundred = headers(100, 1);
        Map<String, String> longest = Map.of("h", "v".repeat(32_767));
        Map<String, String> longestOutsideAscii = Map.of("h", "😀".repeat(32_767));
        for (Map<String, String> few : List.of(hundred, longest, longestOutsideAscii)) {
            Event.of("shop", "order.placed").headers(few).build();
            insert("headers", "?::jsonb", HeadersJson.write("header", few));
        }
        Map<String, String> tooMany = headers(101, 1);
        Map<String, String> tooLong = Map.of("h", "v".repeat(32_768));
        Map<String, String> muchTooLong = Map.of("h", "v".repeat(5_000_000));
        Map<String, String> nameless = Map.of("", "v");
        for (Map<String, String> much : List.of(tooMany, tooLong, muchTooLong, nameless)) {
            Fault inJava = catchThrowableOfType(
                            InvalidEventException.class,
                            () -> Event.of("shop", "order.placed").headers(much).build())
                    .faults()
                    .get(0);
            ServerErrorMessage inSql = refusal(() -> insert("headers", "?::jsonb", HeadersJson.write("header", much)));
            assertThat(inSql.getMessage())
                    .contains(" " + inJava.field() + " " + inJava.why() + ".")
                    .hasSizeLessThan(1_000);
            assertThat(inSql.getConstraint()).isEqualTo("outbox_headers_valid");
        }
        assertThat(refusal(() -> insert("headers", "?::jsonb", "[1]")).getMessage())
                .contains("headers must be a JSON object, but are a JSON array");
    }

    @ParameterizedTest
    @ValueSource(strings = {"domain", "type", "content_type", "payload", "occurred_at"})
    void aFieldThatEveryEventHasMustNotBeNull(String column) {
        ServerErrorMessage refused = refusal(() -> insert(column, "NULL", null));

        assertThat(refused.getMessage()).contains("is invalid: " + column + " must not be null.");
        assertThat(refused.getSQLState()).isEqualTo("23514");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without that check may do
    void aNullIsRefusedWithTheSameSentenceInJava() {
        assertThat(catchThrowableOfType(
                                InvalidEventException.class,
                                () -> Event.of(null, null)
                                        .payload(new byte[0], (String) null)
                                        .build())
                        .faults())
                .containsExactly(
                        new Fault("domain", "must not be null"),
                        new Fault("type", "must not be null"),
                        new Fault("contentType", "must not be null"));
    }

    @Test
    void everyFaultIsReportedAtOnce() {
        ServerErrorMessage refused =
                refusal(() -> postgres.run("SELECT posthorn.emit('', '', '{}', tenant => '', key => '')"));

        assertThat(refused.getMessage())
                .contains(
                        "domain must be 1 to 200",
                        "type must be 1 to 200",
                        "; key must have 1 to",
                        "; tenant must have 1 to");
    }

    @Test
    void anIdempotentEmitHasTheSameLimits() {
        String tooLong = "repeat('x', 1001)";
        assertThat(refusal(() -> postgres.run("SELECT posthorn.emit_once(ARRAY[gen_random_uuid()], ARRAY['shop'],"
                                + " ARRAY['order.placed'], ARRAY[NULL::text], ARRAY[NULL::bigint], ARRAY[NULL::text],"
                                + " ARRAY[NULL::text], ARRAY[" + tooLong + "], ARRAY[NULL::text], ARRAY[NULL::text],"
                                + " ARRAY[NULL::text], ARRAY[NULL::text], ARRAY['text/plain'], ARRAY[''::bytea],"
                                + " ARRAY[now()], ARRAY[NULL::timestamptz])"))
                        .getMessage())
                .contains("tenant must have 1 to 1000 characters, but has 1001");
    }

    private static Map<String, String> headers(int count, int length) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "h" + i, i -> "v".repeat(length)));
    }

    private interface Refused {
        void run() throws SQLException;
    }

    private static ServerErrorMessage refusal(Refused call) {
        PSQLException error = catchThrowableOfType(PSQLException.class, call::run);
        return Objects.requireNonNull(error.getServerErrorMessage());
    }

    private static void insert(String column, String placeholder, @Nullable String value) throws SQLException {
        Map<String, String> row = new LinkedHashMap<>(Map.of("domain", "'shop'", "type", "'order.placed'"));
        row.put(column, placeholder);
        execute(
                "INSERT INTO posthorn.outbox (" + String.join(", ", row.keySet()) + ") VALUES ("
                        + String.join(", ", row.values()) + ")",
                value);
    }

    private static void emit(String column, String value) throws SQLException {
        Map<String, String> row =
                new LinkedHashMap<>(Map.of("domain", "'shop'", "type", "'order.placed'", "payload", "'{}'"));
        row.put(column, "?");
        execute(
                row.entrySet().stream()
                        .map(argument -> argument.getKey() + " => " + argument.getValue())
                        .collect(Collectors.joining(", ", "SELECT posthorn.emit(", ")")),
                value);
    }

    private static void execute(String sql, @Nullable String value) throws SQLException {
        try (Connection connection = postgres.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            if (value != null) {
                statement.setString(1, value);
            }
            statement.execute();
        }
    }
}
