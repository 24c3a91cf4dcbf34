package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.ConsumerReport;
import dev.posthorn.inbox.ConsumerState;
import dev.posthorn.inbox.ConsumerStore;
import dev.posthorn.inbox.HandoverStore;
import dev.posthorn.inbox.OtherMembers;
import dev.posthorn.inbox.Redriven;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What members of a consumer tell without a database: each a hash that vanishes when it is silent, and whether the consumer is
 * paused. Dead letters are the transport's here, so none is ever sent back by this way. Members do not know each other's
 * handlers: an event that no handler of its member wants is dealt with as the consumer's configuration says. Thread-safe.
 *
 * @param <T> what handlers work in
 */
public final class RedisConsumers<T> implements ConsumerStore<T> {

    private static final Duration SILENT = Duration.ofSeconds(30);

    private final Redis redis;
    private final Keys keys;

    RedisConsumers(Redis redis, Keys keys) {
        this.redis = redis;
        this.keys = keys;
    }

    @Override
    public ConsumerState report(ConsumerReport report) {
        Map<String, String> told = new TreeMap<>();
        told.put("handled", Long.toString(report.totals().handled()));
        told.put("skipped", Long.toString(report.totals().skipped()));
        told.put("retried", Long.toString(report.totals().retried()));
        told.put("dead", Long.toString(report.totals().dead()));
        told.put("unhandled", Long.toString(report.totals().unhandled()));
        told.put("lag_p50_ms", Long.toString(report.lag().p50().toMillis()));
        told.put("lag_p99_ms", Long.toString(report.lag().p99().toMillis()));
        told.put("handler_p99_ms", Long.toString(report.handlerP99().toMillis()));
        told.put("trouble", report.trouble().orElse(""));
        List<String> arguments = new ArrayList<>(List.of(Long.toString(SILENT.toMillis())));
        told.forEach((name, value) -> arguments.addAll(List.of(name, value)));
        List<String> both = List.of(keys.member(report.consumer(), report.member()), keys.pause(report.consumer()));
        return new ConsumerState(redis.run(Script.REPORT, both, arguments).get(0) == 1, OtherMembers.NONE);
    }

    @Override
    public void leave(String consumer, String member) {
        redis.runToTheEnd(Script.LEAVE, List.of(keys.member(consumer, member)), List.of());
    }

    /** Its members take nothing more, within seconds, until it is resumed; false if that was so already. */
    public boolean pause(String consumer) {
        return redis.run(Script.PAUSE, List.of(keys.pause(consumer)), List.of("1"))
                        .get(0)
                == 1;
    }

    /** False if it was not paused. */
    public boolean resume(String consumer) {
        return redis.run(Script.PAUSE, List.of(keys.pause(consumer)), List.of("0"))
                        .get(0)
                == 1;
    }

    /** None: whoever wants a dead letter back publishes it again from the transport's own. */
    @Override
    public List<Redriven> redriven(String consumer, int limit) {
        return List.of();
    }

    @Override
    public boolean take(T transaction, UUID letter) {
        throw none(letter);
    }

    @Override
    public void deadAgain(UUID letter, String reason) {
        throw none(letter);
    }

    /** None: members report to Redis, and events wait in a database only. */
    @Override
    public Optional<HandoverStore> handovers() {
        return Optional.empty();
    }

    private static UnsupportedOperationException none(UUID letter) {
        return new UnsupportedOperationException("Redis keeps no dead letters, so " + letter + " is not of here");
    }
}
