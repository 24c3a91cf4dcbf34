package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Subscriber;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** Finds the streams of a subscriber, and sees to it that its group is there. Used by the member's own thread. */
final class Streams {

    private final RedisStreamsConfig config;
    private final StreamNames names;
    private final Subscriber subscriber;
    private final Map<String, String> certain;

    private final Set<String> missing = new ConcurrentSkipListSet<>();
    private final Set<String> ready = new TreeSet<>();
    /** Where groups begin that are made now. */
    private Optional<String> begin = Optional.empty();

    Streams(RedisStreamsConfig config, StreamNames names, Subscriber subscriber) {
        this.config = config;
        this.names = names;
        this.subscriber = subscriber;
        this.certain = names.streamsFor(subscriber);
        certain.values().forEach(domain -> names.groupOf(subscriber, domain)); // an illegal name fails here
    }

    /** Every stream that may hold events of the subscriber and has its group, with its domain. */
    Map<String, String> find(Link link) {
        String from = begin.orElseGet(() -> beginning(link));
        Map<String, String> found = new LinkedHashMap<>(certain);
        link.await(link.commands().hgetall(Link.bytes(names.registry()))).forEach((stream, domain) -> {
            if (StreamNames.mayHold(Link.text(domain), subscriber)) {
                found.put(Link.text(stream), Link.text(domain));
            }
        });
        found.entrySet().removeIf(stream -> !isReady(link, stream.getKey(), stream.getValue(), from));
        begin = Optional.of("0"); // what appears from now on is new altogether
        return found;
    }

    /** Only a subscriber that never was may begin with now: one that has been here would miss what came meanwhile. */
    private String beginning(Link link) {
        if (!config.provision().creates()) {
            return "0";
        }
        long added = link.await(link.commands().sadd(Link.bytes(names.subscribers()), Link.bytes(subscriber.name())));
        return added == 1 && config.start() == Start.NOW ? "$" : "0";
    }

    /** What has to be there and is not. */
    Set<String> missing() {
        return missing;
    }

    /** Somebody removed the stream or the group. */
    void isGone(String stream) {
        ready.remove(stream);
    }

    private boolean isReady(Link link, String stream, String domain, String from) {
        if (ready.contains(stream)) {
            return true;
        }
        boolean there = switch (config.provision().mode()) {
            case CREATE -> create(link, stream, domain, from);
            case VERIFY -> verify(link, stream, domain);
            case OFF -> true;
        };
        if (there) {
            ready.add(stream);
        }
        return there;
    }

    private boolean create(Link link, String stream, String domain, String from) {
        String group = names.groupOf(subscriber, domain);
        String place = stream + "/" + group;
        Provisioning provisioning = config.provision();
        if (provisioning.register().isKnown(DestinationKind.GROUP, place)) {
            return isStillThere(link, stream, group);
        }
        boolean known = provisioning.register().isKnown(DestinationKind.STREAM, stream);
        link.await(link.commands().hset(Link.bytes(names.registry()), Link.bytes(stream), Link.bytes(domain)));
        try {
            link.await(link.commands()
                    .xgroupCreate(
                            StreamOffset.from(Link.bytes(stream), from),
                            Link.bytes(group),
                            new XGroupCreateArgs().mkstream(!known)));
        } catch (RuntimeException failure) {
            if (known && Replies.says(failure, "ERR")) {
                return isAbsent(DestinationKind.STREAM, stream);
            }
            if (!Replies.says(failure, "BUSYGROUP")) {
                throw failure;
            }
        }
        provisioning.found(DestinationKind.STREAM, stream);
        provisioning.found(DestinationKind.GROUP, place);
        missing.remove(provisioning.missing(DestinationKind.STREAM, stream));
        missing.remove(provisioning.missing(DestinationKind.GROUP, place));
        return true;
    }

    /** A group that existed before is not created again by itself: it would not know what it has handled. */
    private boolean isStillThere(Link link, String stream, String group) {
        String place = stream + "/" + group;
        if (!exists(link, stream, group)) {
            return isAbsent(DestinationKind.GROUP, place);
        }
        config.provision().found(DestinationKind.GROUP, place);
        missing.remove(config.provision().missing(DestinationKind.GROUP, place));
        return true;
    }

    /** Notes that it is missing; unless somebody has just allowed it to be created, which the next look does. */
    private boolean isAbsent(DestinationKind kind, String name) {
        if (!config.provision().mayCreate(kind, name)) {
            missing.add(config.provision().missing(kind, name));
        }
        return false;
    }

    private static boolean exists(Link link, String stream, String group) {
        try {
            return lastDelivered(link, stream, group).isPresent();
        } catch (RuntimeException failure) {
            if (!Replies.says(failure, "ERR")) {
                throw failure;
            }
            return false;
        }
    }

    private boolean verify(Link link, String stream, String domain) {
        String group = names.groupOf(subscriber, domain);
        boolean there = exists(link, stream, group);
        String name = "group " + group + " of stream " + stream;
        if (there) {
            missing.remove(name);
        } else {
            missing.add(name);
        }
        return there;
    }

    /** Up to which entry a group was given all; empty if there is no such group. */
    static Optional<String> lastDelivered(Link link, String stream, String group) {
        for (Object about : link.await(link.commands().xinfoGroups(Link.bytes(stream)))) {
            Map<String, Object> values = new LinkedHashMap<>();
            List<?> pairs = (List<?>) about;
            for (int i = 0; i + 1 < pairs.size(); i += 2) {
                values.put(Link.text(pairs.get(i)), pairs.get(i + 1));
            }
            if (group.equals(Link.text(values.getOrDefault("name", "")))) {
                return Optional.of(Link.text(values.getOrDefault("last-delivered-id", "0-0")));
            }
        }
        return Optional.empty();
    }
}
