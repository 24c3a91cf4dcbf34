package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresConsumerDesk.ConsumerStatus;
import dev.posthorn.postgres.PostgresConsumerDesk.MemberStatus;
import dev.posthorn.postgres.PostgresConsumerDesk.Unhandled;
import java.time.Duration;
import java.util.List;

/** Consumers. */
public final class ConsumersFormat {

    private ConsumersFormat() {}

    public static ObjectNode list(List<ConsumerStatus> consumers) {
        ObjectNode node = Json.object();
        node.set("consumers", Json.array(consumers, ConsumersFormat::consumer));
        return node;
    }

    private static ObjectNode consumer(ConsumerStatus consumer) {
        ObjectNode node = Json.object()
                .put("name", consumer.name())
                .put("created_at", consumer.createdAt().toString())
                .put("paused_at", Json.time(consumer.pausedAt()))
                .put("dead_letters", consumer.letters())
                .put("handed_over", consumer.handedOver());
        node.set("unhandled", Json.array(consumer.unhandled(), ConsumersFormat::unhandled));
        node.set("members", Json.array(consumer.members(), ConsumersFormat::member));
        return node;
    }

    private static ObjectNode unhandled(Unhandled unhandled) {
        return Json.object()
                .put("type", unhandled.type())
                .put("events", unhandled.events())
                .put("first_at", unhandled.firstAt().toString())
                .put("last_at", unhandled.lastAt().toString());
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
