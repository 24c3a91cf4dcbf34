package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.StatusFormat;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Consumers, for people. */
final class ConsumersText {

    private ConsumersText() {}

    static String of(JsonNode answer, Instant now) {
        List<JsonNode> consumers = Fields.each(answer, "consumers");
        return consumers.isEmpty()
                ? "There is no consumer yet. One is known once a member of it has run."
                : consumers.stream().map(consumer -> consumer(consumer, now)).collect(Collectors.joining());
    }

    private static String consumer(JsonNode consumer, Instant now) {
        List<JsonNode> members = Fields.each(consumer, "members");
        return String.format(
                        Locale.ROOT,
                        "consumer %s: %s dead letters, %d members%s%n",
                        consumer.path("name").asText(),
                        Fields.count(consumer, "dead_letters"),
                        members.stream()
                                .filter(member -> !member.path("gone").asBoolean())
                                .count(),
                        Fields.time(consumer, "paused_at")
                                .map(since -> ", PAUSED for " + StatusFormat.ago(since, now))
                                .orElse(""))
                + handedOver(consumer)
                + members.stream().map(ConsumersText::member).collect(Collectors.joining())
                + Fields.each(consumer, "unhandled").stream()
                        .map(ConsumersText::unhandled)
                        .collect(Collectors.joining());
    }

    private static String handedOver(JsonNode consumer) {
        return consumer.path("handed_over").asLong() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "  %s events that one member left to another wait%n",
                        Fields.count(consumer, "handed_over"));
    }

    private static String unhandled(JsonNode type) {
        return String.format(
                Locale.ROOT,
                "  UNHANDLED: %s events of type %s, which no handler wants; the last at %s%n",
                Fields.count(type, "events"),
                type.path("type").asText(),
                type.path("last_at").asText());
    }

    private static String member(JsonNode member) {
        return String.format(
                Locale.ROOT,
                "  %s: %s%s handled, %s skipped, %s retried, %s dead; lag p50 %s ms, p99 %s ms; handlers p99 %s ms%s%n",
                member.path("name").asText(),
                member.path("gone").asBoolean()
                        ? "GONE, silent for "
                                + Fields.seconds(member, "silent_seconds").toSeconds() + " s; "
                        : "",
                Fields.count(member, "handled"),
                Fields.count(member, "skipped"),
                Fields.count(member, "retried"),
                Fields.count(member, "dead"),
                Fields.seconds(member, "lag_p50_seconds").toMillis(),
                Fields.seconds(member, "lag_p99_seconds").toMillis(),
                Fields.seconds(member, "handler_p99_seconds").toMillis(),
                Fields.after("; TROUBLE: ", member, "trouble"));
    }
}
