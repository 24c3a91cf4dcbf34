package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresPruner.Report;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteStart;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every column of every event is in the archive, exactly; Postgres itself compares. */
class ArchivedColumnsTest {

    private static final String AWKWARD = "a\"b\\c\n\r\t\u0001é\u2028\u2029\u0085日本😀</script>";

    private static final List<String> TEXTS = List.of(
            "id",
            "tx",
            "lane",
            "seq",
            "domain",
            "type",
            "key",
            "sequence",
            "aggregate_type",
            "aggregate_id",
            "tenant",
            "correlation_id",
            "causation_id",
            "traceparent",
            "content_type");
    private static final List<String> TIMES = List.of("occurred_at", "created_at", "deliver_after");

    /** About an event and no part of it: what comes back from an archive is checked in full. */
    private static final String NOT_KEPT = "stamp";

    private final RelayHarness harness = new RelayHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void everyColumnIsArchivedExactly(@TempDir Path path) throws SQLException {
        // Given
        ArchiveFolder folder = new ArchiveFolder(path);
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        harness.emit(
                Event.of("shop", "Bare").build(),
                Event.of("shop", "Zero")
                        .payload(new byte[] {0}, "application/octet-stream")
                        .build(),
                Event.of("shop", "Full")
                        .key(AWKWARD)
                        .sequence(Long.MAX_VALUE)
                        .aggregate("order", AWKWARD)
                        .tenant(AWKWARD)
                        .correlationId("c1")
                        .causationId("c2")
                        .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                        .header("é 😀", AWKWARD)
                        .header("empty", "")
                        .payload(everyByte, "text/plain")
                        .occurredAt(Instant.parse("0001-01-01T00:00:00.000001Z"))
                        .deliverAfter(Instant.parse("9999-12-31T23:59:59.999999Z"))
                        .build());
        harness.postgres.run("INSERT INTO posthorn.outbox (domain, type, headers) VALUES ('shop', 'Deep',"
                + " '{\"n\": 12345678901234567890.10, \"deep\": [null, {\"a\": \"\\u2028\\n\"}], \"none\": null}')");
        harness.postgres.run("INSERT INTO posthorn.outbox (domain, type, key, payload) SELECT 'shop', 'Large', 'k',"
                + " (SELECT string_agg(sha256(i::text::bytea), '') FROM generate_series(1, 100000) i)"
                + " FROM generate_series(1, 3)");
        harness.postgres.run("CREATE TABLE emitted AS SELECT * FROM posthorn.outbox");
        // A route that began after them needs none of them.
        new PostgresRoutes(harness.pool, Schema.DEFAULT)
                .create(Route.named("later").startingAt(RouteStart.now()));

        // When
        Report report = new PostgresPruner(harness.pool, Schema.DEFAULT, Duration.ZERO)
                .withArchive(folder.archive())
                .prune(events -> {});

        // Then
        assertThat(report.events()).isEqualTo(7);
        load(folder.lines());
        assertThat(harness.rows("SELECT e.type FROM emitted e JOIN archived a ON (a.line->>'id')::uuid = e.id WHERE "
                        + condition()))
                .containsExactlyInAnyOrder("Bare", "Zero", "Large", "Large", "Large", "Full", "Deep");
    }

    private static String condition() {
        StringBuilder all = new StringBuilder("decode(a.line->>'payload_base64', 'base64') = e.payload"
                + " AND (a.line->'headers') IS NOT DISTINCT FROM e.headers");
        TEXTS.forEach(column -> all.append(" AND a.line->>'")
                .append(column)
                .append("' IS NOT DISTINCT FROM e.")
                .append(column)
                .append("::text"));
        TIMES.forEach(column -> all.append(" AND (a.line->>'")
                .append(column)
                .append("')::timestamptz IS NOT DISTINCT FROM e.")
                .append(column));
        return all.toString();
    }

    private void load(List<String> lines) throws SQLException {
        harness.postgres.run("CREATE TABLE archived (line jsonb)");
        try (Connection connection = harness.postgres.dataSource().getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO archived VALUES (?::text::jsonb)")) {
            for (String line : lines) {
                insert.setString(1, line);
                insert.executeUpdate();
            }
        }
    }

    /** If a column is added to the log, it is added here too. */
    @Test
    void noColumnIsForgotten() {
        assertThat(harness.rows("SELECT attname FROM pg_attribute WHERE attrelid = 'posthorn.outbox'::regclass"
                        + " AND attnum > 0 AND NOT attisdropped"))
                .hasSize(TEXTS.size() + TIMES.size() + 3)
                .containsAll(TEXTS)
                .containsAll(TIMES)
                .contains("payload", "headers", NOT_KEPT);
    }
}
