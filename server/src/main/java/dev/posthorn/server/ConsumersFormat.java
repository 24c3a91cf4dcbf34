package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresConsumerDesk.ConsumerStatus;
import dev.posthorn.postgres.PostgresConsumerDesk.MemberStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Consumers, for people and for programs. */
final class ConsumersFormat {

    private ConsumersFormat() {}

    static String text(List<ConsumerStatus> consumers, Instant now) {
        if (consumers.isEmpty()) {
            return "There is no consumer yet. One is known once a member of it has run.";
        }
        StringBuilder text = new StringBuilder();
        for (ConsumerStatus consumer : consumers) {
            text.append(String.format(
                    Locale.ROOT,
                    "consumer %s: %,d dead letters, %d members%s%n",
                    consumer.name(),
                    consumer.letters(),
                    consumer.members().stream()
                            .filter(member -> !member.isGone())
                            .count(),
                    consumer.pausedAt()
                            .map(since -> ", PAUSED for " + StatusFormat.ago(since, now))
                            .orElse("")));
            consumer.members().forEach(member -> text.append(text(member)));
        }
        return text.toString();
    }

    private static String text(MemberStatus member) {
        return String.format(
                Locale.ROOT,
                "  %s: %s%,d handled, %,d skipped, %,d retried, %,d dead; lag p50 %s ms, p99 %s ms; handlers p99 %s ms%s%n",
                member.name(),
                member.isGone() ? "GONE, silent for " + member.silent().toSeconds() + " s; " : "",
                member.totals().handled(),
                member.totals().skipped(),
                member.totals().retried(),
                member.totals().dead(),
                member.lag().p50().toMillis(),
                member.lag().p99().toMillis(),
                member.lag().handlerP99().toMillis(),
                member.trouble().map(trouble -> "; TROUBLE: " + trouble).orElse(""));
    }

    static ObjectNode list(List<ConsumerStatus> consumers) {
        ObjectNode node = Json.object();
        node.set("consumers", Json.array(consumers, ConsumersFormat::consumer));
        return node;
    }

    private static ObjectNode consumer(ConsumerStatus consumer) {
        ObjectNode node = Json.object()
                .put("name", consumer.name())
                .put("created_at", consumer.createdAt().toString())
                .put("paused_at", Json.time(consumer.pausedAt()))
                .put("dead_letters", consumer.letters());
        node.set("members", Json.array(consumer.members(), ConsumersFormat::member));
        return node;
    }

    private static ObjectNode member(MemberStatus member) {
        return Json.object()
                .put("name", member.name())
                .put("started_at", member.startedAt().toString())
                .put("silent_seconds", seconds(member.silent()))
                .put("gone", member.isGone())
                .put("handled", member.totals().handled())
                .put("skipped", member.totals().skipped())
                .put("retried", member.totals().retried())
                .put("dead", member.totals().dead())
                .put("lag_p50_seconds", seconds(member.lag().p50()))
                .put("lag_p99_seconds", seconds(member.lag().p99()))
                .put("handler_p99_seconds", seconds(member.lag().handlerP99()))
                .put("trouble", member.trouble().orElse(null));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
