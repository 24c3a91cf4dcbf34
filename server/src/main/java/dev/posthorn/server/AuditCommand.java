package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.AuditFormat;
import dev.posthorn.postgres.PostgresAudit;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "audit",
        description =
                "Lists what operators did, the last first: who, when, what, to what, why, and how many it concerned.",
        footer = {"  posthorn audit --who ann --action redrive"})
final class AuditCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    @Mixin
    private Asked asked = new Asked();

    @Option(names = "--who", paramLabel = "NAME", description = "Only what this database user did.")
    private @Nullable String who;

    @Option(
            names = "--action",
            paramLabel = "VERB",
            description = "Only this, such as redrive, discard, pause, resume, retire or prune.")
    private @Nullable String action;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(
            names = "--before",
            paramLabel = "ID",
            description = "Only what was done before this, to go on where a list ended.")
    private long before = PostgresAudit.END;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        Ask ask = Ask.of("audit").with("who", who).with("action", action);
        Output.Items items = output.items("actions", "Nobody did anything like that.");
        asked.answers(ANSWER)
                .list(
                        before == PostgresAudit.END ? ask : ask.with("before", before),
                        new Answers.Pages("actions", "before", limit),
                        (source, schema, each) -> new PostgresAudit(source, schema)
                                .newest(who, action, before, limit)
                                .forEach(one -> each.accept(AuditFormat.json(one))),
                        one -> items.add(one, AuditCommand::text));
        items.end();
        return 0;
    }

    private static String text(JsonNode one) {
        return one.path("at").asText() + "  " + one.path("who").asText() + "  "
                + one.path("action").asText() + " " + one.path("target").asText()
                + Fields.after(" on route ", one, "route")
                + (one.path("rows").asLong() == 1 ? "" : ", " + one.path("rows").asText() + " of them")
                + Fields.after(": ", one, "reason");
    }
}
