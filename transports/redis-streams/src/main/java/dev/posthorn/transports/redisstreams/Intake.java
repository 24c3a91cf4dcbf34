package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.Handout;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads the shards of a member into its handout. Of each shard what is pending comes first, then what is new. Reading asks
 * for the lease in the same step at Redis. Waiting does not take anything: it only listens for new entries.
 */
final class Intake {

    private static final int MOST_AT_ONCE = 100;
    private static final String LOST = "LOST";

    private final String member;
    private final Handout handout;
    private final Settlements settlements;
    private final Duration lease;
    private final Runnable wake;

    private final AtomicBoolean listening = new AtomicBoolean();
    private final Queue<StreamMessage<byte[], byte[]>> heard = new ConcurrentLinkedQueue<>();

    Intake(String member, Handout handout, Settlements settlements, Duration lease, Runnable wake) {
        this.member = member;
        this.handout = handout;
        this.settlements = settlements;
        this.lease = lease;
        this.wake = wake;
    }

    /** Reads what there is room for. Answers whether there was anything; adds to the list what is not ours any more. */
    boolean read(Link link, List<Shard> ours, List<Shard> lost) {
        offer(ours);
        int room = handout.room();
        boolean any = false;
        for (Shard shard : ours) {
            if (room > 0 && shard.phase == Shard.Phase.RECOVERING && shard.stash.isEmpty()) {
                any |= recover(link, shard, Math.min(room, MOST_AT_ONCE), lost);
            }
        }
        List<Shard> reading = ours.stream()
                .filter(shard -> shard.phase == Shard.Phase.READING && shard.stash.isEmpty() && shard.isHeld())
                .toList();
        if (room > 0 && !reading.isEmpty()) {
            any |= readNew(link, reading, Math.max(1, room / reading.size()), lost);
        }
        offer(ours);
        return any;
    }

    private void offer(List<Shard> ours) {
        for (Shard shard : ours) {
            for (int room = handout.room(); room > 0 && !shard.stash.isEmpty() && shard.isHeld(); room--) {
                RedisArrival arrival = shard.stash.removeFirst();
                handout.offer(Fields.message(arrival.entry.fields()), arrival);
            }
        }
    }

    private boolean readNew(Link link, List<Shard> shards, int count, List<Shard> lost) {
        List<String> keys = new ArrayList<>();
        List<String> arguments = new ArrayList<>(List.of(member));
        for (Shard shard : shards) {
            keys.addAll(List.of(shard.lease, shard.stream));
            arguments.addAll(List.of(shard.group, Integer.toString(count)));
        }
        List<Object> answers = link.await(link.run(Script.READ, keys, arguments));
        boolean any = false;
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            Shard shard = shards.get(i);
            if (answers.get(i) instanceof List<?> entries) {
                Entry.listOf(entries).forEach(entry -> take(shard, entry, 1));
                any |= !entries.isEmpty();
            } else if (Link.text(answers.get(i)).equals(LOST)) {
                lost.add(shard);
            } else {
                problems.add(Link.text(answers.get(i)));
            }
        }
        for (StreamMessage<byte[], byte[]> one = heard.poll(); one != null; one = heard.poll()) {
            String id = one.getId();
            String stream = Link.text(one.getStream());
            shards.stream()
                    .filter(shard -> shard.stream.equals(stream))
                    .forEach(shard -> shard.lastId = Entry.later(shard.lastId, id));
        }
        if (!problems.isEmpty()) {
            throw new UnreadableException(String.join("; ", problems));
        }
        return any;
    }

    private void take(Shard shard, Entry entry, int attempt) {
        RedisArrival arrival = new RedisArrival(shard, entry, attempt, settlements);
        shard.known.put(entry.id(), arrival);
        shard.stash.addLast(arrival);
        shard.lastId = Entry.later(shard.lastId, entry.id());
    }

    private boolean recover(Link link, Shard shard, int limit, List<Shard> lost) {
        List<Object> answer = link.await(link.run(
                Script.RECOVER,
                List.of(shard.lease, shard.stream),
                List.of(
                        member,
                        shard.group,
                        Long.toString(lease.toMillis()),
                        shard.recoverFrom,
                        Integer.toString(limit))));
        if (answer.size() == 1) {
            lost.add(shard);
            return false;
        }
        Map<String, Integer> deliveries = new HashMap<>();
        for (Object about : (List<?>) answer.get(1)) {
            List<?> pending = (List<?>) about;
            String id = Link.text(pending.get(0));
            deliveries.put(id, ((Long) pending.get(3)).intValue());
            shard.recoverFrom = "(" + id;
        }
        for (Entry entry : Entry.listOf(answer.get(2))) {
            if (!shard.known.containsKey(entry.id())) {
                take(shard, entry, deliveries.getOrDefault(entry.id(), 0) + 1);
            }
        }
        ((List<?>) answer.get(3))
                .stream()
                        .map(Link::text)
                        .filter(id -> !shard.known.containsKey(id)) // else it is at hand, and will be handled
                        .forEach(id -> settlements.losses().add(shard, id));
        boolean waiting = (Long) answer.get(0) == 1;
        if (deliveries.size() < limit && !waiting) {
            begin(link, shard);
        }
        return !deliveries.isEmpty() || shard.phase == Shard.Phase.READING;
    }

    private void begin(Link link, Shard shard) {
        shard.lastId = Streams.lastDelivered(link, shard.stream, shard.group).orElse(shard.lastId);
        shard.phase = Shard.Phase.READING;
        var unused = link.run(
                Script.TIDY,
                List.of(shard.stream),
                List.of(
                        member,
                        shard.group,
                        Long.toString(lease.multipliedBy(100).toMillis())));
    }

    /** Wakes the member when something new is in one of these, or after this time. */
    void listen(Link bell, List<Shard> ours, Duration longest) {
        List<StreamOffset<byte[]>> offsets = new ArrayList<>();
        for (Shard shard : ours) {
            if (shard.phase == Shard.Phase.READING) {
                offsets.add(StreamOffset.from(Link.bytes(shard.stream), shard.lastId));
            }
        }
        if (offsets.isEmpty() || !listening.compareAndSet(false, true)) {
            return;
        }
        @SuppressWarnings({"unchecked", "rawtypes"})
        StreamOffset<byte[]>[] from = offsets.toArray(new StreamOffset[0]);
        var unused = bell.commands()
                .xread(XReadArgs.Builder.block(longest).count(1), from)
                .whenComplete((messages, failure) -> {
                    if (messages != null) {
                        heard.addAll(messages);
                    }
                    listening.set(false);
                    wake.run();
                });
    }
}
