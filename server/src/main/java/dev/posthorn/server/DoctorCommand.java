package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.DoctorFormat;
import dev.posthorn.console.Json;
import dev.posthorn.console.Secrets;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inboxes.redis.Claim;
import dev.posthorn.inboxes.redis.RedisInbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.postgres.PostgresDoctor;
import dev.posthorn.postgres.PostgresDoctor.Finding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "doctor",
        description =
                "Looks at the database as a relay would see it, and names each trouble with what it means and what to"
                        + " do. Changes nothing.",
        exitCodeList = {
            "0:nothing serious was found",
            "1:something serious was found, or the database can not be reached",
            "2:it was asked for in a way that makes no sense"
        },
        footer = {
            "  posthorn doctor",
            "  posthorn doctor --config posthorn.yaml --json",
            "  posthorn doctor --relay-role shop_relay"
        })
final class DoctorCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Map<String, List<String>> BESIDE_A_FILE =
            Map.of("--database-url", List.of("database", "url"), "--schema", List.of("database", "schema"));

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private Asked asked = new Asked();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Also compares what this file tells relays to do with the database: what transports take with the"
                            + " sizes of payloads, and how long things are kept. The database is the file's unless --database-url"
                            + " names another.")
    private @Nullable Path config;

    @Option(
            names = "--relay-role",
            paramLabel = "ROLE",
            description = "The database role whose rights to look at. Default: this one, if it is a relay's, and those"
                    + " of relays that are connected.")
    private @Nullable String relayRole;

    @Option(
            names = "--redis-inbox",
            paramLabel = "URI",
            description =
                    "Also look at the Redis of an inbox, such as redis://host:6379: whether it can be reached, and may"
                            + " lose marks.")
    private @Nullable String redisInbox;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        ObjectNode found = asked.isRemote() ? askThere() : DoctorFormat.json(examineAll());
        output.print(found, DoctorCommand::text);
        return found.path("serious").asBoolean() ? 1 : 0;
    }

    private ObjectNode askThere() throws InterruptedException {
        if (config != null || relayRole != null || redisInbox != null) {
            throw new ParameterException(
                    command.commandLine(),
                    "--config, --relay-role and --redis-inbox are looked at from here; leave them out with --url.");
        }
        return asked.answers(PATIENCE.multipliedBy(6)).read(Ask.of("doctor"), (source, schema) -> Json.object());
    }

    private List<Finding> examineAll() {
        List<Finding> findings = new ArrayList<>(examine());
        if (redisInbox != null) {
            findings.addAll(examineRedis(redisInbox));
        }
        return findings;
    }

    private static String text(JsonNode answer) {
        List<JsonNode> findings = Fields.each(answer, "findings");
        return findings.isEmpty()
                ? "All is well."
                : findings.stream()
                        .map(finding -> (finding.path("serious").asBoolean() ? "SERIOUS " : "note    ")
                                + finding.path("check").asText() + ": "
                                + finding.path("found").asText() + ".\n        "
                                + finding.path("advice").asText() + "\n")
                        .collect(Collectors.joining());
    }

    private List<Finding> examine() {
        Optional<RelayPlan> plan = Optional.ofNullable(config).map(this::plan);
        Database examined = plan.map(RelayPlan::database).orElse(asked.database());
        try (HikariDataSource source = examined.pool("doctor", PATIENCE)) {
            PostgresDoctor doctor = new PostgresDoctor(source, examined.schema());
            PostgresDoctor told =
                    plan.map(known -> new PlanDoctor(known).tell(doctor)).orElse(doctor);
            return (relayRole == null ? told : told.withRelayRole(relayRole)).examine();
        } catch (PosthornException unreachable) {
            return List.of(new Finding(
                    "connection",
                    true,
                    Secrets.mask(String.valueOf(unreachable.getMessage())),
                    "Without it nothing is published, and nothing is emitted."));
        }
    }

    private RelayPlan plan(Path file) {
        Configuration read = Configuration.read(file, System.getenv(), Given.options(command, BESIDE_A_FILE));
        if (!read.faults().isEmpty()) {
            throw new ParameterException(command.commandLine(), ConfigFormat.faults(read.faults()));
        }
        return new PlanReader(read).plan();
    }

    private static List<Finding> examineRedis(String uri) {
        try (RedisInbox<Claim> inbox = RedisInbox.open(RedisInboxConfig.at(uri))) {
            return inbox.risks().stream()
                    .map(risk -> new Finding("redis inbox", false, risk.found(), risk.advice()))
                    .toList();
        } catch (PosthornException unreachable) {
            return List.of(new Finding(
                    "redis inbox",
                    true,
                    Secrets.mask(String.valueOf(unreachable.getMessage())),
                    "Without it consumers with this inbox handle nothing; their events wait."));
        }
    }
}
