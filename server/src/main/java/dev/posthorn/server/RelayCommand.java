package dev.posthorn.server;

import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RelayNames;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "relay",
        description = {
            "Publishes a route's events, in order per key, until it is stopped.",
            "",
            "Start as many as you like for one route: they share its lanes, and when one dies the others take over."
                    + " SIGTERM or Ctrl-C finishes what is under way, gives the lanes back and exits with 0. One of them"
                    + " at a time also publishes a replay into the route; see posthorn replay.",
            ""
        },
        footer = {
            "  posthorn relay --route orders --domain orders --transport kafka://broker:9092",
            "  posthorn relay --config posthorn.yaml --name relay-2"
        })
final class RelayCommand implements Callable<Integer> {

    /** By option, the key that it stands for; none if it is about this run only. */
    private static final Map<String, List<String>> BESIDE_A_FILE = Map.of(
            "--config", List.of(),
            "--json", List.of(),
            "--verbose", List.of(),
            "--database-url", List.of("database", "url"),
            "--schema", List.of("database", "schema"),
            "--name", List.of("relay", "name"),
            "--wait", List.of("database", "wait"),
            "--confirm-destination", List.of());

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
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Runs what this file says: several routes, transports, retention, health and metrics. Beside it go"
                            + " --database-url, --schema, --name, --wait and --json, and environment variables. See posthorn"
                            + " config.")
    private @Nullable Path config;

    @Option(
            names = "--transport",
            paramLabel = "TRANSPORT",
            converter = TransportChoice.Converter.class,
            defaultValue = "${env:POSTHORN_TRANSPORT}",
            description = {
                "Where events go. Taken from POSTHORN_TRANSPORT if left out, which keeps passwords off the command line.",
                "amqp://USER:PASSWORD@HOST/VHOST or amqps://...: RabbitMQ.",
                "kafka://HOST:PORT,HOST:PORT: Kafka; see --client-property.",
                "redis://USER:PASSWORD@HOST:PORT or rediss://...: Redis Streams.",
                "ipc:FOLDER: processes of this host, through a hub that the first of them hosts;",
                "ipc-peers:FOLDER: the same with a hub for each subscriber. Both without a prefix.",
                "sns-sqs://REGION or arn:aws:sns:REGION:ACCOUNT:TOPIC.fifo: Amazon SNS and SQS, with Amazon's default chain"
                        + " of credentials; ?endpoint=http://HOST:PORT behind either for an emulator.",
                "pubsub://PROJECT or pubsub://PROJECT/TOPIC: Google Pub/Sub, a topic for each domain or one for all, with the"
                        + " application's default credentials; ?emulator=HOST:PORT behind either, or PUBSUB_EMULATOR_HOST.",
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
            names = "--provision",
            paramLabel = "MODE",
            defaultValue = "create",
            description = "What happens to exchanges, topics and streams that are missing: create (those needed for the"
                    + " first time), verify (nothing is created, what is missing is named) or off (nothing is created or"
                    + " looked for). Default: ${DEFAULT-VALUE}.")
    private Provision provision = Provision.CREATE;

    @Option(
            names = "--confirm-destination",
            description = "Confirms that routes publish to another address or prefix than before. Without it such a"
                    + " change is refused. Use it for one start.")
    private boolean confirmDestination;

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
            fallbackValue = "true",
            description =
                    "Brings the schema up to date first; --no-migrate only checks it. Default: creates the schema in an"
                            + " empty database, and refuses one that is older than this version.")
    private @Nullable Boolean migrate;

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
        RelayPlan plan = config == null ? fromOptions() : fromFile(config);
        new RelayProcess(plan, json, command.commandLine()).run();
        return 0;
    }

    private RelayPlan fromFile(Path file) {
        Configuration read = Configuration.read(file, System.getenv(), chosenBesideTheFile());
        if (!read.faults().isEmpty()) {
            throw new ParameterException(command.commandLine(), ConfigFormat.faults(read.faults()));
        }
        return new PlanReader(read).plan().confirmed(confirmDestination);
    }

    /** What differs between processes of one configuration; everything else belongs into the file. */
    private List<Given> chosenBesideTheFile() {
        for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
            if (!BESIDE_A_FILE.containsKey(option.longestName())) {
                throw new ParameterException(
                        command.commandLine(),
                        option.longestName() + " does not go with --config. Set it in the file; see posthorn config"
                                + " reference.");
            }
        }
        return Given.options(command, BESIDE_A_FILE);
    }

    private RelayPlan fromOptions() {
        RelayConfig knobs = knobs();
        pruneOptions.check();
        RelayPlan.TransportPlan destination = new RelayPlan.TransportPlan(
                "transport", chosen(), prefix, Layout.STANDARD, NameSettings.STANDARD, provision, clientProperties);
        RoutePolicy policy = RoutePolicy.standard().withRetry(retryPolicy()).withAfterDead(afterDead);
        return new RelayPlan(
                name == null ? RelayNames.fresh() : name,
                database,
                new RelayPlan.Start(
                        new RelayPlan.Migrating(Optional.ofNullable(migrate), "--migrate"),
                        wait,
                        Optional.empty(),
                        confirmDestination),
                knobs,
                List.of(new RelayPlan.RoutePlan(
                        routeOptions.route(route), routeOptions.filters(), destination, policy, Passage.PLAIN)),
                new RelayPlan.Pruning(Optional.of(pruneEvery).filter(every -> prune), pruneOptions.retention()),
                RelayPlan.Http.OFF);
    }

    private RelayConfig knobs() {
        try {
            return RelayPlan.withBatch(RelayConfig.standard(), batch).withLeaseTtl(leaseTtl);
        } catch (IllegalArgumentException invalid) {
            throw new ParameterException(command.commandLine(), String.valueOf(invalid.getMessage()));
        }
    }

    private RetryPolicy retryPolicy() {
        return RetryPolicy.named(retry.name().toLowerCase(Locale.ROOT));
    }

    private TransportChoice chosen() {
        if (transport == null) {
            throw new ParameterException(
                    command.commandLine(),
                    "Where do events go? Give --transport, set POSTHORN_TRANSPORT, or name a file with --config.");
        }
        return transport;
    }
}
