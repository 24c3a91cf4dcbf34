package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.Arrival;
import java.time.Duration;
import java.util.Map;

/** An entry that this member has; what becomes of it goes to the member's settlements. */
final class RedisArrival implements Arrival {

    static final String STREAM = "redis.stream";

    final Shard shard;
    final Entry entry;
    private final int deliveries;
    private final Settlements settlements;

    RedisArrival(Shard shard, Entry entry, int deliveries, Settlements settlements) {
        this.shard = shard;
        this.entry = entry;
        this.deliveries = deliveries;
        this.settlements = settlements;
    }

    /** Redis counts deliveries only, which are none of a handler's attempts. */
    @Override
    public int attempt() {
        return 1;
    }

    int deliveries() {
        return deliveries;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of(
                STREAM,
                shard.stream,
                "redis.group",
                shard.group,
                "redis.id",
                entry.id(),
                DELIVERIES,
                Integer.toString(deliveries));
    }

    @Override
    public void done() {
        settlements.done(this);
    }

    @Override
    public void reject(String reason, Map<String, String> about) {
        settlements.reject(this, reason, about);
    }

    /** Redis has no delay of its own, and what is behind it in its key must wait. */
    @Override
    public boolean retry(Duration after, String reason) {
        return false;
    }

    @Override
    public void giveBack() {
        settlements.giveBack(this);
    }
}
