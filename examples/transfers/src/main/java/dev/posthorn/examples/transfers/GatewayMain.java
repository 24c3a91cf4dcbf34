package dev.posthorn.examples.transfers;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** The gateway as a process of its own, by the design's environment variables. Runs until it is ended. */
public final class GatewayMain {

    /** The table that plays the rail answers at once. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    private GatewayMain() {}

    public static void main(String[] args) throws InterruptedException {
        Variables variables = Variables.of(System.getenv());
        DataSource database = variables.database();
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        Gateway gateway = new Gateway(Services.calls(database), new RailInPostgres(database), outbox, LEASE);
        SnsSqsTransport transport = new SnsSqsTransport(variables.transport());
        Consumer<Connection> consumer = Profile.consumer(transport, Service.GATEWAY, database, gateway.handler());
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            consumer.close();
            transport.close();
            ended.countDown();
        }));
        System.out.println("gateway reads " + Service.GATEWAY.queue());
        ended.await();
    }
}
