package dev.posthorn.demo;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.examples.holdco.Holdco;
import dev.posthorn.examples.holdco.HoldcoRelay;
import dev.posthorn.examples.holdco.Topology;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.relay.Relay;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** One run of examples/holdco: producers, a relay, RabbitMQ, five consumers, and the verdict. */
final class HoldcoDemo {

    /** Relay, audit and three for each consumer; each producer needs one more. */
    private static final int CONNECTIONS_BESIDE_PRODUCERS = 22;

    private final ExampleRun.Setting setting;
    private final ExampleRun run;

    HoldcoDemo(ExampleRun.Setting setting) {
        this.setting = setting;
        this.run = new ExampleRun(setting, this::underWay);
    }

    private String underWay() {
        return "under way " + Numbers.count(run.lag().underWay());
    }

    HoldcoVerdict run() throws SQLException {
        setting.display().note("starting Postgres ...");
        try (DemoDatabase database =
                DemoDatabase.embedded(setting.options().producers + CONNECTIONS_BESIDE_PRODUCERS)) {
            setting.display().note("starting RabbitMQ ...");
            try (EmbeddedRabbitMq broker = EmbeddedRabbitMq.start()) {
                Holdco.createTables(database.pool());
                return run(database, broker);
            }
        }
    }

    private HoldcoVerdict run(DemoDatabase database, EmbeddedRabbitMq broker) throws SQLException {
        Endpoint endpoint = Endpoint.of(
                broker.host() + ":" + broker.port(),
                new Endpoint.Login(EmbeddedRabbitMq.User.ADMIN.name(), EmbeddedRabbitMq.User.ADMIN.password()));
        try (RabbitMqTransport transport = new RabbitMqTransport(Topology.at(endpoint));
                HoldcoConsumers consumers = HoldcoConsumers.start(transport, database.pool(), run.lag());
                Relay relay = HoldcoRelay.start(
                        database.pool(), run.publisher(transport.publisher()), "demo-holdco", ExampleRun.RETRY)) {
            setting.display().note("exchange holdco.events and its five queues are there; emitting");
            long begin = System.nanoTime();
            Holdco holdco = new Holdco(new PostgresOutbox(PostgresOutboxConfig.DEFAULT));
            run.produce(database, relay, new HoldcoBusiness(holdco), 1);
            run.drain(database, relay, HoldcoAuditor::effects, HoldcoAuditor::expected);
            double seconds = Math.max(0.001, (consumers.lastArrival() - begin) / 1e9);
            return verdict(database, consumers, seconds);
        }
    }

    private HoldcoVerdict verdict(DemoDatabase database, HoldcoConsumers consumers, double seconds)
            throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            List<HoldcoFindings> queues = HoldcoAuditor.audit(connection);
            long published = queues.get(0).arrived();
            return new HoldcoVerdict(
                    queues,
                    HoldcoAuditor.wrongBooks(connection),
                    consumers.duplicates(),
                    run.lag().overall(),
                    published / seconds,
                    setting.seed());
        }
    }
}
