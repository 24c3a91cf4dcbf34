package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.relay.LogEvent;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was emitted, through Java or by a plain INSERT, is what the relay reads: every field, every byte. */
class EventRoundTripTest {

    private static final int INLINE = EventRows.INLINE_BYTES;

    private static TestPostgres postgres;
    private static Relay.Stores stores;

    private LaneReader reader;

    @BeforeAll
    static void createDatabase() {
        postgres = TestPostgres.migrated();
        stores = PostgresRelayStores.open(
                postgres.dataSource(), Schema.DEFAULT, Route.named("main").fromBeginning(), "reader");
    }

    @BeforeEach
    void begin() throws SQLException {
        postgres.run("TRUNCATE posthorn.outbox");
        reader = new LaneReader(stores.log(), Migrations.DEFAULT_LANES);
    }

    @Test
    void anEventWithEveryFieldIsReadEqual() throws SQLException {
        Event event = Event.of("shop.eu", "order/placed:v2")
                .id(UUID.fromString("0199d3a0-0000-7000-8000-00000000beef"))
                .key("Schlüssel \"1\" \\ ' , {} 鍵 🔑")
                .sequence(Long.MIN_VALUE)
                .aggregate("Order", "o-1")
                .tenant("tenant,\"a\"")
                .correlationId("corr\nelation")
                .causationId("\tcause")
                .traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .header("plain", "value")
                .header("NULL", "NULL")
                .header("quotes \" \\ {} ,", "line\nbreak, \u0001 tab\t \"quoted\" \\ 🎺")
                .header("empty", "")
                .payload(new byte[] {1, 2, 3}, "application/x-thing")
                .occurredAt(Instant.parse("2026-03-29T01:59:59.999999Z"))
                .deliverAfter(Instant.parse("2026-10-25T02:30:00.000001Z"))
                .build();

        assertThat(readBack(event).event()).isEqualTo(event);
    }

    @Test
    void anEventWithNothingOptionalIsReadEqual() throws SQLException {
        Event event = Event.of("shop", "placed").build();

        assertThat(readBack(event).event()).isEqualTo(event);
        assertThat(event.headers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1969-12-31T23:59:59.999999Z",
                "1970-01-01T00:00:00Z",
                "1600-02-29T12:00:00.000001Z",
                "0001-01-01T00:00:00Z",
                "2255-06-05T23:47:34.740993Z",
                "2400-01-01T00:00:00.123457Z",
                "9999-12-31T23:59:59.999999Z"
            })
    void timesAreExactToTheMicrosecond(String time) throws SQLException {
        Event event = Event.of("shop", "placed")
                .occurredAt(Instant.parse(time))
                .deliverAfter(Instant.parse(time))
                .build();

        assertThat(readBack(event).event()).isEqualTo(event);
    }

    @Test
    void whatIsDueInCenturiesIsNotDueNow() throws SQLException {
        Event event = Event.of("shop", "placed")
                .deliverAfter(Instant.parse("9999-12-31T00:00:00Z"))
                .build();

        assertThat(readBack(event).delay()).isGreaterThan(Duration.ofDays(36_500));
    }

    @Test
    void whatWasDueBeforeIsDueNow() throws SQLException {
        Event event = Event.of("shop", "placed")
                .deliverAfter(Instant.parse("1969-12-31T00:00:00Z"))
                .build();

        assertThat(readBack(event).delay()).isEqualTo(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 256, 16_384})
    void smallPayloadsComeAlong(int size) throws SQLException {
        Event event = withBytes(size);

        LogEvent row = readBack(event);

        assertThat(row.event()).isEqualTo(event);
        assertThat(row.omittedBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {16_385, 1_048_576})
    void largePayloadsAreLeftOutAndFetchedWhole(int size) throws SQLException {
        Event event = withBytes(size);

        LogEvent row = readBack(event);

        assertThat(row.omittedBytes()).isEqualTo(size);
        assertThat(row.event().payloadSize()).isZero();
        assertThat(stores.log().fetch(List.of(event.id(), UUID.randomUUID()))).isEqualTo(Map.of(event.id(), event));
    }

    @Test
    void theInlineBoundIsTheOneTested() {
        assertThat(INLINE).isEqualTo(16_384);
    }

    // ---- hostile values by a plain INSERT

    @Test
    void headerValuesThatAreNoTextArriveAsText() throws SQLException {
        insert("headers", "'{\"n\": 1.50, \"none\": null, \"yes\": true, \"deep\": {\"a\": [1, null]}}'");

        Map<String, String> headers = readOne().event().headers();

        assertThat(headers).isEqualTo(Map.of("n", "1.50", "none", "", "yes", "true", "deep", "{\"a\": [1, null]}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"one\": \"a\"}",
                "{\"\\\"q\\\" \\\\\": \"\\u0001\\b\\f\\n\\r\\t\\u007f\\/ \\ud83c\\udfba\"}",
                "{\"deep\": {\"}\": [\"]\\\\\", \"\\\"{\", {}]}, \"next, \": [[], \", \"]}",
                "{\"n\": -1.5e300, \"t\": false, \"none\": null, \"word\": \"null\"}"
            })
    void headersAreReadAsTheServerItselfWouldTakeThemApart(String json) throws SQLException {
        insert("headers", "'" + json + "'");

        Map<String, String> headers = readOne().event().headers();

        Map<String, String> expected = new HashMap<>();
        try (Connection connection = postgres.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT h.key, coalesce(h.value, '')"
                        + " FROM posthorn.outbox AS o, jsonb_each_text(o.headers) AS h")) {
            while (row.next()) {
                expected.put(row.getString(1), row.getString(2));
            }
        }
        assertThat(headers).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'[]'", "'1'", "'null'", "'\"text\"'"})
    void headersThatAreNoObjectAreRefused(String headers) {
        assertThatThrownBy(() -> insert("headers", headers))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("outbox_headers_valid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'infinity'",
                "'-infinity'",
                "'294276-12-31 23:59:59.999999Z'",
                "'10000-01-01Z'",
                "'0001-12-31 23:59:59Z BC'"
            })
    void timesThatNoReaderCouldHoldAreRefused(String time) {
        for (String column : List.of("occurred_at", "deliver_after")) {
            assertThatThrownBy(() -> insert(column, time))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("outbox_times");
        }
    }

    @Test
    void anyTextInAKeyKeepsItsBytes() throws SQLException {
        String key = "\u0001\u007f\ud83d\udd11 e\u0301 \u00e9 %s ? $1 \\x00 \ufffd";
        insert("key", "'" + key + "'");

        assertThat(readOne().event().key()).contains(key);
    }

    // ---- hands

    private static Event withBytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        for (int i = 0; i < Math.min(size, 256); i++) {
            bytes[i] = (byte) i;
        }
        return Event.of("shop", "placed")
                .payload(bytes, "application/octet-stream")
                .build();
    }

    private LogEvent readBack(Event event) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            new PostgresOutbox(PostgresOutboxConfig.DEFAULT).emit(connection, List.of(event));
            connection.commit();
        }
        return readOne();
    }

    private LogEvent readOne() {
        List<LogEvent> rows = reader.drain(10);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static void insert(String column, String value) throws SQLException {
        postgres.run(
                "INSERT INTO posthorn.outbox (domain, type, " + column + ") VALUES ('shop', 'placed', " + value + ")");
    }
}
