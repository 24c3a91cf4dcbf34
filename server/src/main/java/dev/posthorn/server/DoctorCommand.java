package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inboxes.redis.Claim;
import dev.posthorn.inboxes.redis.RedisInbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.postgres.PostgresDoctor;
import dev.posthorn.postgres.PostgresDoctor.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "doctor",
        description =
                "Looks at the database as a relay would see it, and names each trouble with what it means and what to"
                        + " do. Changes nothing.",
        exitCodeList = {
            "0:nothing serious was found",
            "1:something serious was found, or the database can not be reached",
            "2:it was asked for in a way that makes no sense"
        })
final class DoctorCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Mixin
    private Database database = new Database();

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
    public Integer call() {
        List<Finding> findings = new ArrayList<>(examine());
        if (redisInbox != null) {
            findings.addAll(examineRedis(redisInbox));
        }
        boolean serious = findings.stream().anyMatch(Finding::serious);
        output.print(() -> json(findings, serious), () -> text(findings));
        return serious ? 1 : 0;
    }

    private List<Finding> examine() {
        try (HikariDataSource source = database.pool("doctor", PATIENCE)) {
            PostgresDoctor doctor = new PostgresDoctor(source, database.schema());
            return (relayRole == null ? doctor : doctor.withRelayRole(relayRole)).examine();
        } catch (PosthornException unreachable) {
            return List.of(new Finding(
                    "connection",
                    true,
                    Secrets.mask(String.valueOf(unreachable.getMessage())),
                    "Without it nothing is published, and nothing is emitted."));
        }
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

    private static ObjectNode json(List<Finding> findings, boolean serious) {
        ObjectNode json = Json.object().put("serious", serious);
        json.set(
                "findings",
                Json.array(
                        findings,
                        finding -> Json.object()
                                .put("check", finding.check())
                                .put("serious", finding.serious())
                                .put("found", finding.found())
                                .put("advice", finding.advice())));
        return json;
    }

    private static String text(List<Finding> findings) {
        if (findings.isEmpty()) {
            return "All is well.";
        }
        StringBuilder text = new StringBuilder();
        findings.forEach(finding -> text.append(finding.serious() ? "SERIOUS " : "note    ")
                .append(finding.check())
                .append(": ")
                .append(finding.found())
                .append(".\n        ")
                .append(finding.advice())
                .append('\n'));
        return text.toString();
    }
}
