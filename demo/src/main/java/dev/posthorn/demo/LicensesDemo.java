package dev.posthorn.demo;

import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.event.PosthornException;
import dev.posthorn.examples.licenses.Compliance;
import dev.posthorn.examples.licenses.DomainTopic;
import dev.posthorn.examples.licenses.Licenses;
import dev.posthorn.examples.licenses.Tables;
import dev.posthorn.examples.licenses.Variables;
import dev.posthorn.examples.licenses.Worker;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.relay.Relay;
import dev.posthorn.transports.googlepubsub.Endpoint;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** One run of examples/licenses: producers, a relay, Google Pub/Sub, a worker with marks in Redis, and the verdict. */
final class LicensesDemo {

    /** Relay, audit and eight for the worker; each producer needs one more. */
    private static final int CONNECTIONS_BESIDE_PRODUCERS = 20;

    private static final String PROJECT = "posthorn-demo";

    private final ExampleRun.Setting setting;
    private final ExampleRun run;

    LicensesDemo(ExampleRun.Setting setting) {
        this.setting = setting;
        this.run = new ExampleRun(setting, this::underWay);
    }

    private String underWay() {
        return "under way " + Numbers.count(run.lag().underWay());
    }

    ExampleVerdict run() throws SQLException {
        if (!EmbeddedPubSub.isInstalled()) {
            throw new PosthornException("There is no emulator of Pub/Sub on this machine. Install the Cloud SDK's"
                    + " pubsub-emulator, or say with " + EmbeddedPubSub.FOLDER + " where it is.");
        }
        setting.display().note("starting Postgres ...");
        try (DemoDatabase database =
                DemoDatabase.embedded(setting.options().producers + CONNECTIONS_BESIDE_PRODUCERS)) {
            setting.display().note("starting an emulator of Pub/Sub and Redis ...");
            try (EmbeddedPubSub pubsub = EmbeddedPubSub.start();
                    EmbeddedRedis redis = EmbeddedRedis.start()) {
                requireOrder(pubsub);
                Tables.create(database.pool());
                return run(database, Endpoint.emulator(PROJECT, pubsub.address()), redis);
            }
        }
    }

    private static void requireOrder(EmbeddedPubSub pubsub) {
        if (!pubsub.kind().keepsOrder()) {
            throw new PosthornException("The only emulator of Pub/Sub on this machine is pstest, which keeps no order."
                    + " Install the Cloud SDK's pubsub-emulator.");
        }
    }

    private ExampleVerdict run(DemoDatabase database, Endpoint endpoint, EmbeddedRedis redis) throws SQLException {
        Variables variables = Variables.of(System.getenv());
        try (GooglePubSubTransport transport = DomainTopic.transport(variables, endpoint);
                Worker worker = Worker.start(
                        transport,
                        variables,
                        database.pool(),
                        variables.marks("redis://" + redis.host() + ":" + redis.port()),
                        run.noting(Compliance.handler()));
                Relay relay = DomainTopic.relay(
                        database.pool(),
                        run.publisher(transport.publisher()),
                        "demo-licenses",
                        variables,
                        ExampleRun.RETRY)) {
            setting.display()
                    .note("topic " + variables.topic() + " and subscription " + variables.subscription()
                            + " are there; uploading");
            long begin = System.nanoTime();
            Licenses licenses = new Licenses(new PostgresOutbox(PostgresOutboxConfig.DEFAULT));
            run.produce(database, relay, new LicensesBusiness(licenses), 1);
            run.drain(database, relay, LicensesAuditor::effects, LicensesAuditor::expected);
            return verdict(database, worker, run.secondsSince(begin));
        }
    }

    private ExampleVerdict verdict(DemoDatabase database, Worker worker, double seconds) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            ExampleFindings found = LicensesAuditor.audit(connection);
            return new ExampleVerdict(
                    found,
                    story(found),
                    worker.report().totals().skipped(),
                    run.lag().overall(),
                    found.arrived() / seconds,
                    setting.seed());
        }
    }

    private static ExampleVerdict.Story story(ExampleFindings found) {
        return new ExampleVerdict.Story(
                "The history of the licenses against the notices about them",
                "wrong",
                found.amiss() == 0
                        ? List.of()
                        : List.of(Numbers.count(found.amiss())
                                + " notices to somebody else, or with another reason or link"));
    }
}
