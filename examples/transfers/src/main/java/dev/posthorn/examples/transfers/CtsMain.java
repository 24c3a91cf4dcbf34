package dev.posthorn.examples.transfers;

import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The transfer service as a process, by the design's environment variables. INSTANCE is the name of the process; its
 * queue QUEUE_URL brings the changes of routes. Begins a transfer to PAYEE five times a second, until it is ended.
 */
public final class CtsMain {

    private static final Duration PAUSE = Duration.ofMillis(200);

    private CtsMain() {}

    public static void main(String[] args) throws SQLException, InterruptedException {
        Variables variables = Variables.of(System.getenv());
        String instance = System.getenv().getOrDefault("INSTANCE", "cts-1");
        String payee = System.getenv().getOrDefault("PAYEE", "0xfeed");
        DataSource database = variables.database();
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        RouteCache routes = new RouteCache(new Directory(database, outbox)::railTo);
        Cts cts = new Cts(outbox, routes);
        try (SnsSqsTransport transport = new SnsSqsTransport(variables.transport());
                Subscription updates = RouteUpdates.subscribe(transport, instance, routes)) {
            System.out.println(
                    instance + " hears of routes by " + updates.subscriber().name());
            while (true) {
                begin(cts, database, new Transfer("tr_" + UUID.randomUUID(), instance, "1.00", "payer-abc", payee));
                Thread.sleep(PAUSE.toMillis());
            }
        }
    }

    private static void begin(Cts cts, DataSource database, Transfer transfer) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            cts.submit(connection, transfer);
            connection.commit();
        }
    }
}
