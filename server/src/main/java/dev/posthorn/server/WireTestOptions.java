package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.console.WireTestRun;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is sent through a route to test it, and how long to wait. */
final class WireTestOptions {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** A process that is asked over HTTP waits no longer. */
    private static final long LONGEST_THERE = 20;

    @Option(
            names = "--domain",
            paramLabel = "NAME",
            description =
                    "The event's domain, for which consumers are subscribed. Default: the first that the route wants.")
    private @Nullable String domain;

    @Option(
            names = "--type",
            paramLabel = "NAME",
            description = "The event's type. Default: the first that the route wants, or wire-test.")
    private @Nullable String type;

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            description = "The event's tenant. Default: the first of the route.")
    private @Nullable String tenant;

    @Option(names = "--key", paramLabel = "KEY", description = "The event's key. Default: one of its own.")
    private @Nullable String key;

    @Option(
            names = "--consumer",
            paramLabel = "NAME",
            description = "Also waits until this consumer has received it. May be repeated.")
    private List<String> consumers = List.of();

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How long to wait for all hops. Default: ${DEFAULT-VALUE}.")
    private Duration within = Duration.ofSeconds(30);

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            defaultValue = "to see whether it is through",
            description = "Why, for the record; only with --url. Default: ${DEFAULT-VALUE}.")
    private String reason = "";

    /** Sends it; returns the exit code. */
    int run(String route, Asked asked, Output output) throws InterruptedException {
        ObjectNode body = Json.object()
                .put("reason", reason)
                .put("domain", domain)
                .put("type", type)
                .put("tenant", tenant)
                .put("key", key)
                .put("within_seconds", Math.min(Math.max(1, within.toSeconds()), LONGEST_THERE));
        body.set("consumers", Json.strings(consumers));
        ObjectNode done = asked.answers(ANSWER.plus(within))
                .change(
                        Ask.of("routes", route, "test"),
                        body,
                        (source, schema) -> new WireTestRun(source, schema)
                                .run(route, new WireTestRun.Mark(domain, type, tenant, key), consumers, within)
                                .json());
        output.print(done, WireTestOptions::text);
        return done.path("ok").asBoolean() ? 0 : 1;
    }

    private static String text(JsonNode test) {
        StringBuilder text = new StringBuilder("Wire test "
                + test.path("event_id").asText() + (test.path("ok").asBoolean() ? " is through.\n" : " got stuck.\n"));
        for (JsonNode hop : Fields.each(test, "hops")) {
            double after = hop.path("ms").asDouble();
            text.append(String.format(
                    Locale.ROOT,
                    "  %-10s %-28s %s%n",
                    hop.path("hop").asText(),
                    hop.path("where").asText(),
                    hop.path("reached").asBoolean()
                            ? hop.path("at").asText()
                                    + (after == 0 ? "" : String.format(Locale.ROOT, "  after %,.1f ms", after))
                            : "NOT REACHED: " + hop.path("why").asText()));
        }
        return text.toString();
    }
}
