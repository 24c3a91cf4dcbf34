package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.codecs.AggregateEnvelope;
import dev.posthorn.codecs.Envelopes;
import dev.posthorn.codecs.JsonCodec;
import dev.posthorn.codecs.TransfersEnvelope;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.registry.CheckedOutbox;
import dev.posthorn.registry.CheckedPublisher;
import dev.posthorn.registry.Contract;
import dev.posthorn.registry.EventType;
import dev.posthorn.registry.JsonSchemaContract;
import dev.posthorn.registry.Mode;
import dev.posthorn.registry.Registry;
import dev.posthorn.registry.UnregisteredEventException;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The Java of docs/registry.md and docs/envelopes.md. */
class RegistrySnippetsTest {

    record OrderPlaced(String orderNo, long amount) {}

    private static final String SCHEMA = "{\"type\": \"object\", \"required\": [\"orderNo\"]}";

    private final SnippetDatabase snippets = SnippetDatabase.migrated(1);
    private final DataSource database = snippets.dataSource();

    @AfterEach
    void close() {
        snippets.close();
    }

    @Test
    void aServiceChecksWhatItEmitsAndTheRelayWhatItPublishes() throws Exception {
        List<Event> published = new CopyOnWriteArrayList<>();
        Publisher broker = MemoryTransport.direct(published::add).publisher();
        PostgresOutbox plain = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

        // docs:start:registry
        Registry registry = Registry.of(
                Mode.STRICT,
                List.of(
                        EventType.of("orders", "order.placed")
                                .aggregate("order")
                                .payload(Contract.of(OrderPlaced.class, new JsonCodec())),
                        EventType.of("orders", "order.cancelled")
                                .payload(JsonSchemaContract.of("order-cancelled.json", SCHEMA))));

        Outbox outbox = new CheckedOutbox(plain, registry); // throws what breaks it, before the database is asked
        Relay relay = Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, Route.named("main"), "relay-1"),
                new CheckedPublisher(broker, registry), // refuses what others have inserted
                RelayConfig.standard(),
                RoutePolicy.standard());
        // docs:end:registry

        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> outbox.emit(
                            connection,
                            Event.of("orders", "order.eaten").json("{}").build()))
                    .isInstanceOf(UnregisteredEventException.class);
            outbox.emit(
                    connection,
                    Event.of("orders", "order.cancelled")
                            .json("{\"orderNo\": \"1\"}")
                            .build());
            connection.commit();
        }
        Await.until("it is published", () -> published.size() == 1);
        relay.close();
    }

    @Test
    void whatIsSealedOnTheWayOutIsOpenedOnTheWayIn() {
        List<Event> received = new CopyOnWriteArrayList<>();
        Bus broker = MemoryTransport.builder().build();
        Subscriber subscriber = Subscriber.named("billing");

        // docs:start:envelopes
        Publisher sealing = Envelopes.around(broker.publisher(), new TransfersEnvelope()); // give it to the relay
        Bus opening = Envelopes.around(broker, new TransfersEnvelope(), new AggregateEnvelope("holdco"));
        Subscription subscription = opening.subscribe(subscriber, delivery -> {
            received.add(delivery.event()); // as it was emitted, whichever envelope it came in
            delivery.settle(Verdict.done());
        });
        // docs:end:envelopes

        Event event =
                Event.of("transfers", "submitted").json("{ \"rate\": 1.50 }").build();
        dev.posthorn.testkit.TrackedPublication publication = new dev.posthorn.testkit.TrackedPublication(event, 1);
        sealing.publish(List.of(publication));
        Await.until("it is received", () -> received.size() == 1);
        assertThat(received).containsExactly(event);
        subscription.close();
        broker.close();
    }
}
