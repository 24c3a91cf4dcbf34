package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.SettlingCalls;
import dev.posthorn.transport.Subscriber;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What receivers have said, on its way to Redis. Acknowledgements of a shard go together. A dead letter is written first
 * and its entry acknowledged when that was answered. What fails is sent again, on this connection or the next.
 */
final class Settlements {

    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);

    /** Makes what was given back old enough for everybody at once. */
    private static final long LONG_AGO_MILLIS = 30L * 24 * 60 * 60 * 1_000;

    private static final int MOST_AT_ONCE = 500;

    private record Rejected(RedisArrival arrival, String reason, Map<String, String> about) {}

    private final Subscriber subscriber;
    private final String member;
    private final StreamNames names;
    private final Losses losses = new Losses();
    private final Runnable wake;
    private final SettlingCalls calls;

    private final Queue<RedisArrival> done = new ConcurrentLinkedQueue<>();
    private final Queue<Rejected> rejected = new ConcurrentLinkedQueue<>();
    private final Queue<RedisArrival> givenBack = new ConcurrentLinkedQueue<>();

    Settlements(Subscriber subscriber, String member, StreamNames names, Runnable wake) {
        this.subscriber = subscriber;
        this.member = member;
        this.names = names;
        this.wake = wake;
        this.calls = new SettlingCalls(wake);
    }

    void done(RedisArrival arrival) {
        done.add(arrival);
        wake.run();
    }

    void reject(RedisArrival arrival, String reason, Map<String, String> about) {
        rejected.add(new Rejected(arrival, reason, about));
        wake.run();
    }

    void giveBack(RedisArrival arrival) {
        givenBack.add(arrival);
        wake.run();
    }

    boolean isEmpty() {
        return done.isEmpty() && rejected.isEmpty() && givenBack.isEmpty() && calls.isAllAnswered();
    }

    Losses losses() {
        return losses;
    }

    /** Why the last one could not be brought to Redis. */
    @Nullable
    String trouble() {
        return calls.trouble();
    }

    /** Sends what is there, without waiting for answers. After a failure it waits a little before it tries again. */
    void flush(Link link) {
        if (calls.isPaused()) {
            return;
        }
        for (RedisArrival back = givenBack.poll(); back != null; back = givenBack.poll()) {
            sendBack(link, back);
        }
        int letters = rejected.size(); // those that fail meanwhile wait for the next time
        for (Rejected dead = rejected.poll(); dead != null; dead = --letters > 0 ? rejected.poll() : null) {
            sendDead(link, dead);
        }
        Map<Shard, List<RedisArrival>> byShard = new HashMap<>();
        RedisArrival next = done.poll();
        for (int i = 1; next != null; next = i++ < MOST_AT_ONCE ? done.poll() : null) {
            byShard.computeIfAbsent(next.shard, any -> new ArrayList<>()).add(next);
        }
        byShard.forEach((shard, arrivals) -> acknowledge(link, shard, arrivals));
    }

    private void acknowledge(Link link, Shard shard, List<RedisArrival> arrivals) {
        String[] ids = arrivals.stream().map(arrival -> arrival.entry.id()).toArray(String[]::new);
        send(
                () -> link.commands().xack(Link.bytes(shard.stream), Link.bytes(shard.group), ids),
                () -> arrivals.forEach(Settlements::forget),
                () -> done.addAll(arrivals));
    }

    private void sendDead(Link link, Rejected dead) {
        RedisArrival arrival = dead.arrival();
        Map<String, String> about = new LinkedHashMap<>(dead.about());
        about.put(Fields.DEAD_REASON, dead.reason());
        about.put(Fields.DEAD_SUBSCRIBER, subscriber.name());
        about.put(Fields.DEAD_STREAM, arrival.shard.stream);
        about.put(Fields.DEAD_ID, arrival.entry.id());
        byte[] to = Link.bytes(names.deadLettersOf(partsOf(arrival)));
        Object[] fields = Fields.dead(arrival.entry.fields(), about);
        send(() -> link.commands().xadd(to, fields), () -> done(arrival), () -> rejected.add(dead));
    }

    private static Map<String, String> partsOf(RedisArrival arrival) {
        Map<String, String> headers = Fields.message(arrival.entry.fields()).headers();
        Map<String, String> parts = new HashMap<>();
        parts.put("domain", arrival.shard.domain);
        Map.of(
                        "domain", EventMessage.DOMAIN,
                        "type", EventMessage.TYPE,
                        "aggregate-type", EventMessage.AGGREGATE_TYPE,
                        "tenant", EventMessage.TENANT)
                .forEach((part, header) -> {
                    String value = headers.get(header);
                    if (value != null && !value.isEmpty() && value.length() <= 100) { // anybody can have written it
                        parts.put(part, value);
                    }
                });
        return parts;
    }

    /** Old, and as if it had not been delivered: the next owner of the shard takes it at once, and no attempt is charged. */
    private void sendBack(Link link, RedisArrival arrival) {
        List<String> untouched = List.of(
                "IDLE",
                Long.toString(LONG_AGO_MILLIS),
                "RETRYCOUNT",
                Integer.toString(Math.max(0, arrival.deliveries() - 1)));
        List<String> ids = List.of(arrival.entry.id());
        send(
                () -> link.claim(arrival.shard, member, ids, untouched).thenAccept(claimed -> {
                    if (claimed.isEmpty()) {
                        losses.add(arrival.shard, arrival.entry.id());
                    }
                }),
                () -> forget(arrival),
                () -> LOG.debug("{} could not be given back; it waits for its time", arrival.entry.id()));
    }

    private static void forget(RedisArrival arrival) {
        arrival.shard.known.remove(arrival.entry.id(), arrival);
    }

    private void send(Supplier<CompletionStage<?>> command, Runnable success, Runnable again) {
        calls.send(command, success, failure -> {
            calls.failed(Replies.unwrapped(failure).getMessage());
            again.run();
        });
    }
}
