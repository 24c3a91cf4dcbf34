package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.Subscriber;
import io.lettuce.core.models.stream.PendingMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which shards are this member's. Each has a lease, a key of Redis that vanishes by itself unless its owner renews it. A
 * member takes free ones up to its share, which is all divided by the members that are alive, and gives up what is more than
 * that, once everything it has of a shard is settled. So the events of a key are with one member at a time, in order.
 *
 * <p>By its own clock a member trusts a lease no longer than from the moment it asked for it. Used by the member's thread.
 */
final class Membership {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    /** Not later than this, so that new streams are found and others are let in, however long the lease. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Subscriber subscriber;
    private final String member;
    private final StreamNames names;
    private final Streams streams;
    private final Duration lease;

    /** Read by others, to look whether a lease is still held. */
    private final Map<String, Shard> shards = new ConcurrentSkipListMap<>();

    private long due = System.nanoTime();

    Membership(Subscriber subscriber, String member, StreamNames names, Streams streams, Duration lease) {
        this.subscriber = subscriber;
        this.member = member;
        this.names = names;
        this.streams = streams;
        this.lease = lease;
    }

    /** How long until {@link #renew} is to be called. */
    Duration untilDue() {
        return Duration.ofNanos(Math.max(0, due - System.nanoTime()));
    }

    List<Shard> ours() {
        return shards.values().stream().filter(Shard::isOurs).toList();
    }

    /** Any thread may ask. */
    boolean holds(String stream) {
        Shard shard = shards.get(stream);
        return shard != null && shard.isHeld();
    }

    /** Finds streams, renews and takes leases, and begins to give up what is too much. Answers those that were lost. */
    List<Shard> renew(Link link) {
        streams.find(link).forEach((stream, domain) -> shards.computeIfAbsent(stream, any -> shardOf(stream, domain)));
        List<Shard> all = List.copyOf(shards.values());
        List<Shard> lost = new ArrayList<>();
        long share = 0;
        if (!all.isEmpty()) {
            List<String> keys = new ArrayList<>(List.of(names.membersOf(subscriber)));
            all.forEach(shard -> keys.add(shard.lease));
            long asked = System.nanoTime();
            List<Object> answer =
                    link.await(link.run(Script.SHARE, keys, List.of(member, Long.toString(lease.toMillis()))));
            share = (Long) answer.get(0);
            for (int i = 0; i < all.size(); i++) {
                Shard shard = all.get(i);
                if ((Long) answer.get(i + 1) == 1) {
                    shard.hold(asked + lease.toNanos());
                    if (!shard.isOurs()) {
                        LOG.debug("{} of {} has the lease of {}", member, subscriber.name(), shard);
                        shard.recover();
                    }
                } else if (shard.isOurs()) {
                    lost.add(shard);
                }
            }
        }
        balance(share, lost);
        touch(link, lost);
        Duration third = lease.dividedBy(3);
        Duration pause = third.compareTo(LONGEST_PAUSE) < 0 ? third : LONGEST_PAUSE;
        due = System.nanoTime() + pause.toNanos();
        return lost;
    }

    private Shard shardOf(String stream, String domain) {
        return new Shard(stream, names.groupOf(subscriber, domain), domain, names.leaseOf(subscriber, stream));
    }

    private void balance(long share, List<Shard> lost) {
        List<Shard> ours = new ArrayList<>(ours());
        ours.removeAll(lost);
        long tooMany = ours.size() - share;
        for (Shard shard : ours) {
            boolean tooLong = System.nanoTime() - shard.releasingSince
                    > lease.multipliedBy(2).toNanos();
            if (shard.phase == Shard.Phase.RELEASING && (tooMany <= 0 || tooLong)) {
                shard.recover(); // a handler that does not end must not keep the rest of the shard waiting
            }
        }
        long releasing = ours.stream()
                .filter(shard -> shard.phase == Shard.Phase.RELEASING)
                .count();
        ours.stream()
                .filter(shard -> shard.phase != Shard.Phase.RELEASING)
                .sorted(Comparator.comparingInt(shard -> shard.known.size()))
                .limit(Math.max(0, tooMany - releasing))
                .forEach(shard -> {
                    shard.phase = Shard.Phase.RELEASING;
                    shard.releasingSince = System.nanoTime();
                    shard.stash.forEach(RedisArrival::giveBack);
                    shard.stash.clear();
                });
    }

    /** Keeps what is at hand young, and looks for entries that Redis has given us and that never came. */
    private void touch(Link link, List<Shard> lost) {
        Map<Shard, CompletionStage<PendingMessages>> pending = new LinkedHashMap<>();
        for (Shard shard : ours()) {
            byte[] stream = Link.bytes(shard.stream);
            byte[] group = Link.bytes(shard.group);
            List<String> ids = List.copyOf(shard.known.keySet());
            if (!lost.contains(shard) && !ids.isEmpty() && shard.phase != Shard.Phase.RELEASING) {
                var unused = link.claim(shard, member, ids, List.of());
            }
            if (!lost.contains(shard) && shard.phase == Shard.Phase.READING) {
                pending.put(shard, link.commands().xpending(stream, group));
            }
        }
        pending.forEach((shard, answer) -> {
            try {
                if (link.await(answer).getCount() > shard.known.size()) {
                    shard.recover();
                }
            } catch (RuntimeException failure) {
                if (!Replies.says(failure, "NOGROUP")) {
                    throw failure;
                }
                streams.isGone(shard.stream);
            }
        });
    }

    /** Lets go of those that are to be released and have nothing at hand any more. */
    void releaseDrained(Link link) {
        for (Shard shard : ours()) {
            if (shard.phase == Shard.Phase.RELEASING && shard.known.isEmpty()) {
                var unused = link.run(Script.RELEASE, List.of(shard.lease), List.of(member));
                shard.lose();
            }
        }
    }

    /** Those whose lease may have run out without an answer from Redis. */
    List<Shard> expired() {
        return ours().stream().filter(shard -> !shard.isHeld()).toList();
    }

    /** After a lost connection: answers may have been lost with it. */
    void recoverAll() {
        ours().forEach(Shard::recover);
        due = System.nanoTime();
    }

    void leave(Link link) {
        List<String> leases = ours().stream().map(shard -> shard.lease).toList();
        if (!leases.isEmpty()) {
            link.await(link.run(Script.RELEASE, leases, List.of(member)));
        }
        link.await(link.commands().zrem(Link.bytes(names.membersOf(subscriber)), Link.bytes(member)));
        ours().forEach(Shard::lose);
    }
}
