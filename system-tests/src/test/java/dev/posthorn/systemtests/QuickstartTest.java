package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The quickstart of the README, as it stands there. */
class QuickstartTest {

    @Test
    void whatIsEmittedInATransactionArrives() throws SQLException {
        try (SnippetDatabase snippets = SnippetDatabase.empty()) {
            snippets.run("CREATE TABLE orders (id text PRIMARY KEY, total int NOT NULL)");
            List<Event> arrived = new CopyOnWriteArrayList<>();

            // When
            run(snippets.dataSource(), arrived);

            // Then
            assertThat(arrived).extracting(Event::type).containsExactly("order.placed");
            assertThat(snippets.rows("SELECT id, total FROM orders")).containsExactly("order-17|4200");
        }
    }

    private static void run(DataSource database, List<Event> arrived) throws SQLException {
        // docs:start:quickstart
        new Migrations(Schema.DEFAULT).migrate(database);

        // A relay in this process: from the log to a transport.
        MemoryTransport transport = MemoryTransport.builder().build();
        transport.subscribe("invoices", event -> arrived.add(event));
        Relay relay = Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, "main", "relay-1"),
                transport.publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard());

        // An event in the transaction that makes it true.
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO orders (id, total) VALUES ('order-17', 4200)");
            Event placed = Event.of("shop", "order.placed")
                    .key("order-17")
                    .json("{\"total\":4200}")
                    .build();
            outbox.emit(connection, placed);
            connection.commit();
        }
        // docs:end:quickstart
        Await.until("the event to arrive", () -> !arrived.isEmpty());
        relay.close();
        transport.close();
    }
}
