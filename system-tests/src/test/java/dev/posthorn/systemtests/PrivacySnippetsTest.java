package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.crypto.tink.Aead;
import dev.posthorn.encryption.Encryption;
import dev.posthorn.encryption.KeyRing;
import dev.posthorn.encryption.Keyset;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.outbox.Causation;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.Schema;
import dev.posthorn.privacy.PersonalDataException;
import dev.posthorn.privacy.PersonalDataGuard;
import dev.posthorn.privacy.Redaction;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.tracing.Tracing;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transports.memory.MemoryTransport;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java and SQL of the pages on encryption, tracing and tenants, run. */
class PrivacySnippetsTest {

    private static final Snippets SNIPPETS = Snippets.load();

    private final SnippetDatabase snippets = SnippetDatabase.migrated(4);
    private final DataSource database = snippets.dataSource();
    private final Outbox log = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

    @AfterEach
    void close() {
        snippets.close();
    }

    private void emit(Outbox outbox, Event event) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, event);
            connection.commit();
        }
    }

    private static Event event(String json) {
        return Event.of("shop", "order.placed").key("order-17").json(json).build();
    }

    @Test
    void payloadsAreEncryptedAndDecrypted(@TempDir Path folder) throws Exception {
        Path file =
                Files.writeString(folder.resolve("keys.json"), Keyset.generate().secretJson());
        EventHandler<Connection> handler = EventHandler.of(
                (event, connection) -> assertThat(event.contentType()).isEqualTo("application/json"));
        // docs:start:encryption
        Encryption encryption = new Encryption(KeyRing.of(Keyset.parse(Keyset.textOf(file))));
        Outbox outbox = encryption.before(log); // payloads are encrypted here
        Handlers<Connection> handlers = Handlers.<Connection>none()
                .on("order.placed", "bill", handler)
                .around(encryption::around); // and decrypted here
        // docs:end:encryption
        assertThat(handlers).isNotNull();
        emit(outbox, event("{\"name\":\"Ada\"}"));

        assertThat(snippets.rows("SELECT content_type, position('Ada'::bytea IN payload) FROM posthorn.outbox"))
                .containsExactly(Encryption.CONTENT_TYPE + "|0");
        assertThat(snippets.rows(SNIPPETS.text("encryption-keys"))).hasSize(1);
    }

    @Test
    void keysRotate(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("keys.json");
        // docs:start:encryption-rotation
        Keyset keys = Keyset.generate();
        Files.writeString(file, keys.secretJson()); // to producers and consumers

        Keyset added = keys.withNewKey(); // 1. to every consumer: it can read what the new key will encrypt
        String next = added.ids().stream()
                .filter(id -> !keys.ids().contains(id))
                .findFirst()
                .orElseThrow();
        Keyset promoted = added.promoting(next); // 2. to the producers: they encrypt with the new key
        Keyset last = promoted.without(keys.primary()); // 3. once nothing is left that the old key encrypted
        // docs:end:encryption-rotation
        assertThat(last.ids()).containsExactly(next);
    }

    @Test
    void aKeyServiceWrapsTheKeys() {
        Aead service = new NoCipher();
        // docs:start:encryption-service
        String wrapped = Keyset.generate().wrapped(service); // once; safe to keep in a file or a variable

        String text = Keyset.textOf("SHOP_KEYS", Map.of("SHOP_KEYS", wrapped)); // in production System.getenv()
        Encryption encryption = new Encryption(KeyRing.of(Keyset.unwrap(text, service))); // one call, at the start
        // docs:end:encryption-service
        assertThat(encryption.decrypt(encryption.encrypt(event("{}"))).contentType())
                .isEqualTo("application/json");
    }

    /** Stands for a key service; wraps nothing. */
    private static final class NoCipher implements Aead {
        @Override
        public byte[] encrypt(byte[] plaintext, byte[] associated) {
            return plaintext;
        }

        @Override
        public byte[] decrypt(byte[] ciphertext, byte[] associated) {
            return ciphertext;
        }
    }

    @Test
    void aDatabaseTakesCiphertextOnly() throws SQLException {
        snippets.run(SNIPPETS.text("encryption-constraint"));

        emit(new Encryption(KeyRing.of(Keyset.generate())).before(log), event("{}"));

        assertThatThrownBy(() -> snippets.run("SELECT posthorn.emit('shop', 'order.placed', '{}')"))
                .hasMessageContaining("outbox_encrypted");
        try (MemoryTransport bus = MemoryTransport.builder().build()) {
            // docs:start:encryption-required
            Publisher publisher = Encryption.required(bus.publisher());
            // docs:end:encryption-required
            assertThat(publisher.longestRun()).isEqualTo(bus.publisher().longestRun());
            publisher.close();
        }
    }

    @Test
    void personalDataIsFoundAndHidden() {
        // docs:start:personal-data
        PersonalDataGuard guard = PersonalDataGuard.failing() // or warning()
                .allowing(List.of("billing.iban"));
        Outbox outbox = guard.before(log); // before encryption: ciphertext tells it nothing
        // docs:end:personal-data
        assertThatThrownBy(() -> emit(outbox, event("{\"contact\":\"ada@example.com\"}")))
                .isInstanceOf(PersonalDataException.class);
        byte[] payload = "{\"email\":\"ada@example.com\",\"total\":4200}".getBytes(StandardCharsets.UTF_8);
        // docs:start:redaction
        Redaction redaction = Redaction.of(List.of("email", "customer.name"));
        String shown = redaction.text(payload, "application/json"); // {"email":"***","total":4200}
        // docs:end:redaction
        assertThat(shown).isEqualTo("{\"email\":\"***\",\"total\":4200}");
    }

    @Test
    void eventsAreTracedFromEmitToHandler() throws SQLException {
        OpenTelemetry telemetry = OpenTelemetry.noop();
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {});
        try (MemoryTransport bus = MemoryTransport.builder().build()) {
            // docs:start:tracing
            Tracing tracing = Tracing.by(telemetry);
            Outbox outbox = tracing.before(log); // emit
            Publisher publisher = tracing.over("kafka").around(bus.publisher()); // publish
            Handlers<Connection> handlers = Handlers.<Connection>none()
                    .on("order.placed", "bill", handler)
                    .around(tracing.over("kafka").consumer("billing")); // process
            // docs:end:tracing
            assertThat(handlers).isNotNull();
            emit(outbox, event("{}"));
            publisher.close();
        }
        assertThat(snippets.rows("SELECT traceparent FROM posthorn.outbox")).containsExactly("");
    }

    @Test
    void whatAHandlerEmitsFollowsFromWhatItHandles() throws Exception {
        // docs:start:causation
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> Causation.by(event)
                .before(log)
                .emit(connection, Event.of("billing", "invoice.written").build()));
        // docs:end:causation
        Event handled = event("{}");
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            handler.handle(handled, connection);
            connection.commit();
        }
        assertThat(snippets.rows("SELECT causation_id, correlation_id FROM posthorn.outbox"))
                .containsExactly(handled.id() + "|" + handled.id());
    }

    @Test
    void aLargeTenantHasARouteOfItsOwn() {
        PostgresRoutes routes = new PostgresRoutes(database, Schema.DEFAULT);
        // docs:start:tenant-routes
        routes.create(Route.named("acme").withFilter(RouteFilter.ofTenants("acme")));
        routes.create(Route.named("others").withFilter(RouteFilter.all().exceptTenants("acme")));
        // docs:end:tenant-routes
        assertThat(snippets.rows("SELECT name, tenants, except_tenants FROM posthorn.route ORDER BY name"))
                .containsExactly("acme|{acme}|", "others||{acme}");
    }
}
