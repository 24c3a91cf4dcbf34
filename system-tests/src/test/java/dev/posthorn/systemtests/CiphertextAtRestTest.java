package dev.posthorn.systemtests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.encryption.Encryption;
import dev.posthorn.encryption.KeyRing;
import dev.posthorn.encryption.Keyset;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import dev.posthorn.transports.memory.MemoryTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What a thief of the database's files would find: nothing, whatever became of an event. */
@Tag("slow")
@Timeout(180)
class CiphertextAtRestTest {

    private static final String MARKER = "Ada-Lovelace-1815";
    private static final String CONTROL = "Charles-Babbage-1791";

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final Encryption encryption = new Encryption(KeyRing.of(Keyset.generate()));
    private final Outbox plain = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final Outbox outbox = encryption.before(plain);
    private final List<String> handled = new CopyOnWriteArrayList<>();

    @Test
    void neitherTheDataFolderNorTheWalHasPlaintextAfterEmitHandlingAndADeadLetter() throws Exception {
        try (EmbeddedPostgres postgres = Shop.builder().start();
                MemoryTransport bus = MemoryTransport.builder().build()) {
            String url = postgres.createDatabase("shop");
            database.setUrl(url);
            new Migrations(Schema.DEFAULT).migrate(database);
            Event fine = event("order.placed", MARKER);
            Event poison = event("order.refused", MARKER);

            try (Consumer<Connection> consumer = Consumer.start(
                            bus,
                            ConsumerConfig.of(Subscriber.named("billing").domains("shop")),
                            handlers(),
                            PostgresInbox.equipment(database, Schema.DEFAULT));
                    Relay relay = relay(bus)) {
                emit(outbox, fine, poison);
                emit(plain, event("order.open", CONTROL));
                Await.until(
                        () -> consumer.report() + " " + relay.status(),
                        () -> consumer.report().totals().handled() == 2
                                && consumer.report().totals().dead() == 1);
            }
            Shop.run(url, "CHECKPOINT");

            assertThat(handled).containsExactlyInAnyOrder(json(MARKER), json(CONTROL));
            assertThat(filesWith(postgres.dataDirectory(), CONTROL))
                    .as("the search finds what is there")
                    .anyMatch(file -> file.toString().contains("pg_wal"))
                    .anyMatch(file -> file.toString().contains("base"));
            assertThat(filesWith(postgres.dataDirectory(), MARKER)).isEmpty();
            assertThat(Shop.rows(
                            url,
                            "SELECT d.state || ' ' || (o.payload = d.body) FROM posthorn.dead_letter d"
                                    + " JOIN posthorn.outbox o ON o.id = d.event_id WHERE o.type = 'order.refused'"))
                    .as("the dead letter has the ciphertext as it came")
                    .containsExactly("DEAD true");
        }
    }

    private Handlers<Connection> handlers() {
        EventHandler<Connection> handle =
                EventHandler.of((event, connection) -> handled.add(new String(event.payloadBytes(), ISO_8859_1)));
        return Handlers.<Connection>none()
                .on("order.placed", "bill", handle)
                .on("order.open", "look", handle)
                .on("order.refused", "refuse", (event, connection) -> Verdict.reject("the account is closed"))
                .around(encryption::around);
    }

    private Relay relay(MemoryTransport bus) {
        return Relay.start(
                PostgresRelayStores.open(
                        database, Schema.DEFAULT, Route.named("main").fromBeginning(), "relay-1"),
                bus.publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard());
    }

    private void emit(Outbox into, Event... events) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            into.emit(connection, events);
            connection.commit();
        }
    }

    private static Event event(String type, String name) {
        return Event.of("shop", type).key(type).tenant("acme").json(json(name)).build();
    }

    private static String json(String name) {
        return "{\"name\":\"" + name + "\"}";
    }

    private static List<Path> filesWith(Path folder, String text) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> contentOf(file).contains(text))
                    .toList();
        }
    }

    /** One character a byte. */
    private static String contentOf(Path file) {
        try {
            return Files.readString(file, ISO_8859_1);
        } catch (NoSuchFileException removedMeanwhile) {
            return "";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
