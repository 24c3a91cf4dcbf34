package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.archive.FolderArchive;
import dev.posthorn.codecs.JsonCodec;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.InvalidSchemaException;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RouteStart;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Transport;
import dev.posthorn.transports.file.FileTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of the documentation, run. */
class SnippetsTest {

    private record OrderPlaced(String order, int total) {}

    private final SnippetDatabase snippets = SnippetDatabase.migrated(16);
    private final DataSource database = snippets.dataSource();
    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

    @AfterEach
    void close() {
        snippets.close();
    }

    @Test
    void anEventCarriesAllThis() throws SQLException {
        int total = 4200;

        // docs:start:event
        Event event = Event.of("shop", "order.placed") // domain and type; the rest is optional
                .key("order-17") // events of one key are published in order
                .payload(new OrderPlaced("order-17", total), new JsonCodec())
                .sequence(1) // the aggregate's own version
                .aggregate("order", "17")
                .tenant("acme")
                .correlationId("request-7")
                .causationId("command-7")
                .traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .header("source", "till")
                .deliverAfter(Instant.now().plus(Duration.ofHours(1))) // outside the order of its key
                .build();
        // docs:end:event

        commit(event);
        assertThat(snippets.rows("SELECT key, tenant, sequence, convert_from(payload, 'UTF8') FROM posthorn.outbox"))
                .containsExactly("order-17|acme|1|{\"order\":\"order-17\",\"total\":4200}");
    }

    @Test
    void anEmitMayBeRepeatedOrderedAndCommitted() throws SQLException {
        Event first = event("order-17");
        commit(first);
        List<Event> events = List.of(first, event("order-18"));

        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            // docs:start:emit-options
            Emission emission = outbox.emit(
                    connection, events, EmitOption.IDEMPOTENT, EmitOption.SERIALISED, EmitOption.WITH_COMMIT);
            List<UUID> ids = emission.emitted(); // new to the log
            List<UUID> repeated = emission.known(); // there already, left as they are
            // docs:end:emit-options

            assertThat(ids).containsExactly(events.get(1).id());
            assertThat(repeated).containsExactly(first.id());
        }
        assertThat(snippets.rows("SELECT count(*) FROM posthorn.outbox")).containsExactly("2");
    }

    @Test
    void theLastChangeGoesWithTheEventsAndTheCommit() throws SQLException {
        snippets.run("CREATE TABLE purchase (id text PRIMARY KEY, total int)");
        int total = 4200;
        Event event = event("order-17");

        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            // docs:start:emit-commit
            Change insert = Change.of("INSERT INTO purchase (id, total) VALUES (?, ?)", "order-17", total);
            Commit commit = outbox.commit(connection, insert, event); // one round trip, BEGIN included
            long rows = commit.rows();
            List<UUID> ids = commit.emission().emitted();
            // docs:end:emit-commit

            assertThat(rows).isEqualTo(1);
            assertThat(ids).containsExactly(event.id());
        }
        assertThat(snippets.rows("SELECT p.id, o.key FROM purchase p, posthorn.outbox o"))
                .containsExactly("order-17|order-17");
    }

    @Test
    void aConflictIsRetriedFromTheBeginningOfTheTransaction() throws SQLException {
        snippets.run("CREATE TABLE stock (item text PRIMARY KEY, pieces int); INSERT INTO stock VALUES ('egg', 0)");

        sell(3);

        assertThat(snippets.rows("SELECT item FROM stock ORDER BY item")).containsExactly("egg", "mine1", "theirs");
        assertThat(snippets.rows("SELECT count(*) FROM posthorn.outbox")).containsExactly("1");
    }

    private void sell(int attempts) throws SQLException {
        // docs:start:emit-retry
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                try {
                    writeBusinessRows(connection);
                    outbox.emit(connection, List.of(event("egg")), EmitOption.WITH_COMMIT);
                    return;
                } catch (EmitFailedException failed) {
                    connection.rollback();
                    if (!failed.isRetryable() || attempt == attempts) {
                        throw failed;
                    }
                }
            }
        }
        // docs:end:emit-retry
    }

    private int writes;

    /** The first time, another transaction writes the same between our reading and our commit. */
    private void writeBusinessRows(Connection connection) throws SQLException {
        SnippetDatabase.run(connection, "SELECT sum(pieces) FROM stock");
        SnippetDatabase.run(connection, "INSERT INTO stock VALUES ('mine" + writes + "', 1)");
        if (writes++ == 0) {
            try (Connection other = database.getConnection()) {
                other.setAutoCommit(false);
                other.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                SnippetDatabase.run(other, "SELECT sum(pieces) FROM stock");
                SnippetDatabase.run(other, "INSERT INTO stock VALUES ('theirs', 1)");
                other.commit();
            }
        }
    }

    @Test
    void aRelayHasKnobsAndTellsWhatItDoes() throws SQLException {
        RecordingTransport transport = RecordingTransport.accepting();
        Relay.Stores stores = stores("relay-1");
        Publisher publisher = transport.publisher();

        // docs:start:knobs
        RelayConfig config = RelayConfig.standard()
                .withLeaseTtl(Duration.ofSeconds(30))
                .withFlush(new RelayConfig.FlushPace(Duration.ofMillis(20), 500, Duration.ofSeconds(1)));
        RoutePolicy policy = new RoutePolicy(
                RetryPolicy.ladder(), // for every type without one of its own
                Map.of("order.printed", RetryPolicy.fixed(3, Duration.ofSeconds(2))),
                RoutePolicy.AfterDead.HOLD);
        Relay relay = Relay.start(stores, publisher, config, policy);
        // docs:end:knobs
        commit(event("order-17"));
        transport.awaitCalls(1);

        // docs:start:relay-status
        RelayStatus status = relay.status();
        int lanes = status.lanes().size();
        long published = status.totals().published();
        String outage = status.outage().orElse("none"); // why nothing is published
        // docs:end:relay-status

        assertThat(lanes).isEqualTo(16);
        assertThat(published).isLessThanOrEqualTo(1);
        assertThat(outage).isEqualTo("none");
        relay.close();
    }

    @Test
    void aRouteHasItsOwnEventsFromWhereItStarts() throws SQLException {
        commit(event("order-17"));
        RecordingTransport transport = RecordingTransport.accepting();

        // docs:start:route
        Route orders = Route.named("orders")
                .withFilter(RouteFilter.ofDomains("shop", "payments"))
                .startingAt(RouteStart.beginning());
        Relay relay = Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, orders, "relay-1"),
                transport.publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard());
        // docs:end:route

        transport.awaitCalls(1);
        snippets.run(Snippets.load().text("pause-route"));
        Await.until("the pause", () -> relay.status().outage().isPresent());
        assertThat(snippets.rows("SELECT reason FROM posthorn.operator_action")).containsExactly("the broker is moved");
        relay.close();
    }

    @Test
    void aRelayWritesToAFileAndStopsWithItsProcess(@TempDir Path folder) throws Exception {
        Path lines = folder.resolve("events.jsonl");

        // docs:start:file-relay
        Transport transport = new FileTransport(lines, "relay-1");
        Relay relay = Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, "audit", "relay-1"),
                transport.publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard());
        Thread stop = new Thread(() -> {
            relay.close(); // drains, checkpoints, gives its lanes back
            transport.close();
        });
        Runtime.getRuntime().addShutdownHook(stop);
        // docs:end:file-relay

        commit(event("order-17"));
        Await.until("the line", () -> isNotEmpty(lines));
        Runtime.getRuntime().removeShutdownHook(stop);
        stop.start();
        stop.join();
        assertThat(Files.readString(lines)).contains("\"relay\":\"relay-1\"").contains("\"key\":\"order-17\"");
        assertThat(snippets.rows("SELECT state FROM posthorn.outbox_status")).containsExactly("SENT");
    }

    @Test
    void whatLeavesTheLogIsArchived(@TempDir Path folder) throws SQLException {
        commit(event("order-17"));
        new PostgresRoutes(database, Schema.DEFAULT).create(Route.named("later").startingAt(RouteStart.now()));

        // docs:start:archive
        PostgresPruner pruner = new PostgresPruner(database, Schema.DEFAULT, Duration.ofDays(90))
                .withArchive(new FolderArchive(folder)); // or an Archive of your own
        PostgresPruner.Report report = pruner.prune(events -> {}); // now and then, in any number of processes
        // docs:end:archive

        assertThat(report.events()).isEqualTo(1);
        assertThat(new FolderArchive(folder).list()).hasSize(1);
    }

    @Test
    void theSchemaIsMigratedPrintedOrValidated() throws SQLException {
        try (SnippetDatabase empty = SnippetDatabase.empty()) {
            DataSource database = empty.dataSource();
            assertThatThrownBy(() -> new Migrations(Schema.DEFAULT).validate(database))
                    .isInstanceOf(InvalidSchemaException.class);

            // docs:start:schema
            Migrations migrations = new Migrations(new Schema("posthorn"), 64); // 64 lanes, for ever
            String script = migrations.print(); // for psql, if migrating is someone else's work
            migrations.migrate(database); // or this; any number of processes at once
            migrations.validate(database); // changes nothing, throws what does not fit
            // docs:end:schema

            assertThat(script).startsWith("BEGIN;").endsWith("COMMIT;\n");
            assertThat(empty.rows("SELECT lanes FROM posthorn.log")).containsExactly("64");
        }
    }

    private Relay.Stores stores(String relay) {
        return PostgresRelayStores.open(database, Schema.DEFAULT, "main", relay);
    }

    private void commit(Event event) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, List.of(event), EmitOption.WITH_COMMIT);
        }
    }

    private static Event event(String key) {
        return Event.of("shop", "order.placed").key(key).json("{}").build();
    }

    private static boolean isNotEmpty(Path file) {
        try {
            return Files.exists(file) && Files.size(file) > 0;
        } catch (java.io.IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }
}
