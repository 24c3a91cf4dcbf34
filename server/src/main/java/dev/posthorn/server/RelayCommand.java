package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RetryPolicy;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.transport.Transport;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "relay",
        description = {
            "Publishes a route's events, in order per key, until it is stopped.",
            "",
            "Start as many as you like for one route: they share its lanes, and when one dies the others take over."
                    + " SIGTERM or Ctrl-C finishes what is under way, gives the lanes back and exits with 0.",
            ""
        })
final class RelayCommand implements Callable<Integer> {

    private static final int LANE_LIMIT_IN_BATCHES = 4;
    private static final Duration STATUS_PAUSE = Duration.ofSeconds(10);

    enum Retry {
        LADDER,
        EXPONENTIAL,
        FIXED
    }

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private Database database = new Database();

    @Option(
            names = "--transport",
            required = true,
            paramLabel = "TRANSPORT",
            converter = TransportChoice.Converter.class,
            defaultValue = "${env:POSTHORN_TRANSPORT}",
            description = {
                "Where events go. Taken from POSTHORN_TRANSPORT if left out, which keeps passwords off the command line.",
                "amqp://USER:PASSWORD@HOST/VHOST or amqps://...: RabbitMQ.",
                "kafka://HOST:PORT,HOST:PORT: Kafka; see --client-property.",
                "redis://USER:PASSWORD@HOST:PORT or rediss://...: Redis Streams.",
                "postgresql://USER:PASSWORD@HOST/DATABASE: the log of another database.",
                "file:PATH: appends each as a line of JSON.",
                "memory: takes and forgets them."
            })
    private @Nullable TransportChoice transport;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = "posthorn",
            description = "How names at the broker begin: exchanges, topics, streams. Default: ${DEFAULT-VALUE}.")
    private String prefix = "posthorn";

    @Option(
            names = "--client-property",
            paramLabel = "NAME=VALUE",
            description = "A property for Kafka's client, such as security.protocol=SSL; may be repeated.")
    private Map<String, String> clientProperties = new HashMap<>();

    @Option(
            names = "--route",
            paramLabel = "NAME",
            defaultValue = "main",
            description =
                    "The route, with a cursor of its own over the log; if there is none of that name it is created"
                            + " with the options below. Default: ${DEFAULT-VALUE}.")
    private String route = "main";

    @Mixin
    private RoutesCommand.RouteOptions routeOptions = new RoutesCommand.RouteOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "This relay's name, unique among those of the route. Default: made of host, process and chance.")
    private @Nullable String name;

    @Option(
            names = "--retry",
            paramLabel = "POLICY",
            defaultValue = "ladder",
            description = "When a failed event is tried again: ladder (1s, 5s, 30s, 2m, 10m, 1h, …; 10 attempts),"
                    + " exponential (10s doubling to 15m; 10 attempts) or fixed (500ms; 25 attempts)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Retry retry = Retry.LADDER;

    @Option(
            names = "--after-dead",
            paramLabel = "WHAT",
            defaultValue = "continue",
            description = "What a key does once one of its events is dead: continue without it, or hold until someone"
                    + " redrives or discards it. Default: ${DEFAULT-VALUE}.")
    private AfterDead afterDead = AfterDead.CONTINUE;

    @Option(
            names = "--lease-ttl",
            paramLabel = "TIME",
            defaultValue = "15s",
            description = "How long a silent relay keeps its lanes, at least 1s. Too low: a pause costs duplicates."
                    + " Too high: a crash stops its lanes for that long. Default: ${DEFAULT-VALUE}.")
    private Duration leaseTtl = Duration.ofSeconds(15);

    @Option(
            names = "--batch",
            paramLabel = "EVENTS",
            defaultValue = "512",
            description = "How many events one read may bring per lane. Four times as many may be under way per lane,"
                    + " which is what a crash can publish twice. Default: ${DEFAULT-VALUE}.")
    private int batch = 512;

    @Option(
            names = "--migrate",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Brings the schema up to date first; --no-migrate only checks it. Default: --migrate.")
    private boolean migrate = true;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description =
                    "How long to wait for a database that is not there when the relay starts; it says so each time"
                            + " it has tried. Default: without end, until the database is there or SIGTERM comes.")
    private @Nullable Duration wait;

    @Mixin
    private PruneOptions pruneOptions = new PruneOptions();

    @Option(
            names = "--prune",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Whether this relay takes part in removing what is older, one relay at a time. Default: --prune.")
    private boolean prune = true;

    @Option(
            names = "--prune-every",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "How often it looks for what may go. Default: ${DEFAULT-VALUE}.")
    private Duration pruneEvery = Duration.ofMinutes(10);

    @Option(names = "--json", description = "Prints its lines as JSON objects: started, status, stopped.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        RelayConfig config = config();
        pruneOptions.check();
        String relayName = name == null ? freshName() : name;
        DatabaseWait absent = new DatabaseWait(wait, command.commandLine().getErr());
        HikariDataSource pool = absent.until(() -> openSchema(relayName, config.leaseTtl()));
        Transport destination = chosen().open(new TransportChoice.Settings(relayName, prefix, clientProperties));
        Relay.Stores stores = absent.until(() -> openRoute(pool, relayName));
        RoutePolicy policy = RoutePolicy.standard().withRetry(retryPolicy()).withAfterDead(afterDead);
        Relay relay = Relay.start(relayName, stores, destination.publisher(), config, policy);
        PrintWriter out = command.commandLine().getOut();
        RelayReport report = new RelayReport(relay, relayName, route, json, out::println);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> stop(relay, destination, pool, report), "posthorn-shutdown"));
        if (prune) {
            Housekeeping.start(pruneOptions.pruner(pool, database.schema()), pruneEvery);
        }
        report.started(destination.name(), database.url().toString());
        while (!Thread.currentThread().isInterrupted()) {
            Thread.sleep(STATUS_PAUSE.toMillis());
            report.status();
        }
        return 0;
    }

    private HikariDataSource openSchema(String relayName, Duration ttl) {
        Duration patience = ttl.dividedBy(3);
        HikariDataSource pool = database.pool(relayName, patience.toSeconds() > 5 ? Duration.ofSeconds(5) : patience);
        try {
            prepareSchema(pool);
            return pool;
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    /** Whoever names no filter takes the route as it is. */
    private Relay.Stores openRoute(HikariDataSource pool, String relayName) {
        Route wanted = routeOptions.route(route);
        PostgresRoutes routes = new PostgresRoutes(pool, database.schema());
        boolean isNew = routes.list().stream().noneMatch(known -> known.name().equals(route));
        if (isNew && routes.create(wanted)) {
            LoggerFactory.getLogger(RelayCommand.class)
                    .info("Created route {}, which starts at {}", route, wanted.start());
        }
        return routeOptions.filters()
                ? PostgresRelayStores.open(pool, database.schema(), wanted, relayName)
                : PostgresRelayStores.open(pool, database.schema(), route, relayName);
    }

    /** Runs when the process is told to end; halts because a process ended by a signal would not exit with 0. */
    private void stop(Relay relay, Transport destination, HikariDataSource pool, RelayReport report) {
        int code = 1;
        try {
            relay.close();
            report.stopped();
            destination.close();
            pool.close();
            code = 0;
        } finally {
            command.commandLine().getOut().flush();
            Runtime.getRuntime().halt(code);
        }
    }

    private RelayConfig config() {
        try {
            RelayConfig standard = RelayConfig.standard();
            return standard.withLeaseTtl(leaseTtl)
                    .withPage(batch)
                    .withLane(new RelayConfig.LaneLimit(
                            batch * LANE_LIMIT_IN_BATCHES, standard.lane().bytes()));
        } catch (IllegalArgumentException invalid) {
            throw new ParameterException(command.commandLine(), String.valueOf(invalid.getMessage()));
        }
    }

    private RetryPolicy retryPolicy() {
        return RetryPolicy.named(retry.name().toLowerCase(java.util.Locale.ROOT));
    }

    private TransportChoice chosen() {
        return java.util.Objects.requireNonNull(transport, "picocli requires --transport");
    }

    private void prepareSchema(HikariDataSource pool) {
        Migrations migrations = new Migrations(database.schema());
        if (migrate) {
            migrations.migrate(pool);
        } else {
            migrations.validate(pool);
        }
    }

    private static String freshName() {
        byte[] chance = new byte[3];
        new SecureRandom().nextBytes(chance);
        return hostName() + "-" + ProcessHandle.current().pid() + "-"
                + HexFormat.of().formatHex(chance);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "host";
        }
    }
}
