package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.claimcheck.ClaimCheck;
import dev.posthorn.claimcheck.ClaimCheckConfig;
import dev.posthorn.claimcheck.ClaimRegister;
import dev.posthorn.claimcheck.ClaimingOutbox;
import dev.posthorn.claimcheck.ClaimingPublisher;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.payloadstores.filesystem.FolderPayloadStore;
import dev.posthorn.postgres.PostgresClaims;
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
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Twenty megabytes from an emit, and from a row that SQL wrote, to a handler, over brokers that carry a fraction of it. */
@Tag("slow")
@Tag("exact")
class LargePayloadTest {

    private static final int TWENTY_MEGABYTES = 20 * 1024 * 1024;

    private final List<Event> invoices = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    @Test
    void overSnsAndSqs() throws SQLException {
        goesOver(new SnsSqsEndToEndTest().startBroker());
    }

    @Test
    void overKafka() throws SQLException {
        goesOver(new KafkaEndToEndTest().startBroker());
    }

    @Test
    void overRabbitMq() throws SQLException {
        goesOver(new RabbitMqEndToEndTest().startBroker());
    }

    private static Event event() {
        byte[] scan = new byte[TWENTY_MEGABYTES];
        new Random().nextBytes(scan);
        return Event.of("orders", "order.placed")
                .key("order-7")
                .payload(scan, "application/pdf")
                .build();
    }

    private void goesOver(BrokerUnderTest broker) throws SQLException {
        Event emitted = event();
        Event written = event();
        try (broker;
                SnippetDatabase database = SnippetDatabase.migrated(2);
                Bus bus = broker.open();
                Consumer<Connection> billing = consumer(bus, database.dataSource());
                Relay relay = relay(bus, database.dataSource())) {
            // When
            emit(database.dataSource(), emitted, written);

            // Then
            Await.within(
                    Duration.ofMinutes(2), () -> relay.status() + " " + billing.report(), () -> invoices.size() == 2);
        }
        assertThat(invoices).containsExactly(emitted, written);
    }

    private Consumer<Connection> consumer(Bus bus, DataSource database) {
        EventHandler<Connection> bill = EventHandler.of((event, connection) -> invoices.add(event));
        // docs:start:claim-consume
        PayloadStore store = new FolderPayloadStore(folder);
        ClaimCheck claims = new ClaimCheck(store, ClaimCheckConfig.DEFAULT);
        Handlers<Connection> handlers =
                Handlers.<Connection>none().on("order.placed", "bill", bill).around(claims::around);
        // docs:end:claim-consume
        return Consumer.start(
                bus,
                ConsumerConfig.of(Subscriber.named("billing").domains("orders")),
                handlers,
                PostgresInbox.equipment(database, Schema.DEFAULT));
    }

    private Relay relay(Bus bus, DataSource database) {
        return Relay.start(
                PostgresRelayStores.open(
                        database, Schema.DEFAULT, Route.named("main").fromBeginning(), "r1"),
                ClaimingPublisher.around(
                        bus.publisher(),
                        bus.capabilities(),
                        new FolderPayloadStore(folder),
                        new PostgresClaims(database, Schema.DEFAULT),
                        ClaimCheckConfig.DEFAULT),
                RelayConfig.standard(),
                RoutePolicy.standard());
    }

    private void emit(DataSource database, Event claimed, Event whole) throws SQLException {
        PostgresOutboxConfig config = PostgresOutboxConfig.DEFAULT.withMaxPayloadBytes(2 * TWENTY_MEGABYTES);
        // docs:start:claim-emit
        PayloadStore store = new FolderPayloadStore(folder);
        ClaimRegister register = new PostgresClaims(database, Schema.DEFAULT);
        Outbox outbox = new ClaimingOutbox(new PostgresOutbox(config), store, register, ClaimCheckConfig.DEFAULT);
        // docs:end:claim-emit
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, claimed);
            new PostgresOutbox(config).emit(connection, whole); // as SQL would write it
            connection.commit();
        }
    }
}
