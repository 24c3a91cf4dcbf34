package dev.posthorn.demo;

import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.event.PosthornException;
import dev.posthorn.examples.transfers.Cts;
import dev.posthorn.examples.transfers.Directory;
import dev.posthorn.examples.transfers.Gateway;
import dev.posthorn.examples.transfers.Profile;
import dev.posthorn.examples.transfers.Rail;
import dev.posthorn.examples.transfers.RailInPostgres;
import dev.posthorn.examples.transfers.RouteCache;
import dev.posthorn.examples.transfers.Service;
import dev.posthorn.examples.transfers.Services;
import dev.posthorn.examples.transfers.Tables;
import dev.posthorn.examples.transfers.Transfer;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.relay.Relay;
import dev.posthorn.transports.snssqs.AwsAccess;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

/** One run of examples/transfers: producers, a relay, SNS and SQS, four services, and the verdict. */
final class TransfersDemo {

    /** Relay, audit, eleven for each of four services and ten for calls to the rail; each producer needs two more. */
    private static final int CONNECTIONS_BESIDE_PRODUCERS = 75;

    /** Submitted, accepted, settled. */
    private static final int EVENTS_OF_A_TRANSFER = 3;

    private final ExampleRun.Setting setting;
    private final ExampleRun run;
    private final LongAdder calls = new LongAdder();

    TransfersDemo(ExampleRun.Setting setting) {
        this.setting = setting;
        this.run = new ExampleRun(setting, () -> "calls of the rail " + Numbers.count(calls.sum()));
    }

    ExampleVerdict run() throws SQLException {
        EmbeddedSnsSqs.obstacle().ifPresent(why -> {
            throw new PosthornException(why);
        });
        setting.display().note("starting Postgres ...");
        try (DemoDatabase database =
                DemoDatabase.embedded(2 * setting.options().producers + CONNECTIONS_BESIDE_PRODUCERS)) {
            setting.display().note("starting an emulator of SNS and SQS ...");
            try (EmbeddedSnsSqs broker = EmbeddedSnsSqs.start()) {
                Tables.create(database.pool());
                return run(database, broker);
            }
        }
    }

    private ExampleVerdict run(DemoDatabase database, EmbeddedSnsSqs broker) throws SQLException {
        AwsAccess access = AwsAccess.in("us-east-1").endpoint(broker.endpoint()).credentials("demo", "demo");
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        Cts cts = new Cts(outbox, new RouteCache(new Directory(database.pool(), outbox)::railTo));
        Gateway gateway = new Gateway(Services.calls(database.pool()), counted(database), outbox);
        try (SnsSqsTransport transport = new SnsSqsTransport(Profile.topology(access));
                Services services = Services.start(transport, database.pool(), cts, gateway, this::noting);
                Relay relay = Profile.relay(
                        database.pool(), run.publisher(transport.publisher()), "demo-transfers", ExampleRun.RETRY)) {
            setting.display().note("topic events-transfers.fifo and its four queues are there; submitting");
            long begin = System.nanoTime();
            run.produce(
                    database,
                    relay,
                    (connection, random) -> cts.submit(connection, anyTransfer(random)),
                    EVENTS_OF_A_TRANSFER);
            run.drain(database, relay, TransfersAuditor::effects, TransfersAuditor::expected);
            return verdict(database, services, run.secondsSince(begin));
        }
    }

    private Rail counted(DemoDatabase database) {
        Rail rail = new RailInPostgres(database.pool());
        return (key, transfer) -> {
            calls.increment();
            return rail.submit(key, transfer);
        };
    }

    private static Transfer anyTransfer(Random random) {
        return new Transfer(
                "tr_" + new UUID(random.nextLong(), random.nextLong()),
                "tnt_" + random.nextInt(3),
                (1 + random.nextInt(100_000)) + ".00",
                "payer-" + random.nextInt(100),
                "payee-" + random.nextInt(100));
    }

    /** The read model gets every event. */
    private EventHandler<Connection> noting(Service service, EventHandler<Connection> handler) {
        return service == Service.PROJECTIONS ? run.noting(handler) : handler;
    }

    private ExampleVerdict verdict(DemoDatabase database, Services services, double seconds) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            ExampleFindings found = TransfersAuditor.audit(connection);
            return new ExampleVerdict(
                    found,
                    new ExampleVerdict.Story(
                            "The transfers against what each service did about them",
                            "unbalanced",
                            List.of(Numbers.count(calls.sum()) + " calls of the rail, "
                                    + Numbers.count(found.expected() / 3) + " payments; " + Numbers.count(found.amiss())
                                    + " transfers unsettled or unbalanced")),
                    services.duplicates(),
                    run.lag().overall(),
                    found.arrived() / seconds,
                    setting.seed());
        }
    }
}
