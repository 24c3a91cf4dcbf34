package dev.posthorn.transports.redisstreams;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where Redis is, what things are called there, and how patient to be. Immutable; the methods make copies.
 *
 * @param uri host, TLS, database, credentials, sentinels
 * @param client further options of the client, such as trust stores and socket options; reconnecting, queueing and the
 *     protocol version are set by the transport
 * @param names of streams, groups and dead letters
 * @param provision whether streams and groups are made when missing ({@link Provision#CREATE})
 * @param start what a new subscriber begins with ({@link Start#BEGINNING})
 * @param shards how many streams a name becomes (8). Too low: more members than shards have nothing to do. Too high: more
 *     keys to lease and read. With 1 the stream has the plain name. Must be the same everywhere; change it when all is read
 * @param maxMessageBytes larger payloads are refused before they are sent (8 MiB). Too high: one event holds up the others
 *     of its connection and fills the memory of Redis, whose own limit is 512 MB
 * @param timing how long things may take
 */
public record RedisStreamsConfig(
        RedisURI uri,
        ClientOptions client,
        Names names,
        Provisioning provision,
        Start start,
        int shards,
        long maxMessageBytes,
        Timing timing) {

    /** What a string of Redis can hold. */
    private static final long REDIS_LIMIT = 512L << 20;

    private static final int MOST_SHARDS = 1_024;

    /**
     * How long things may take.
     *
     * @param answer until a command is answered (10 s). Too low: a slow server makes duplicates. Too high: a dead network is
     *     noticed late
     * @param lease until a shard of a silent member goes to another (10 s). Too low: a pause of the process loses its
     *     shards, and events are handled twice. Too high: the events of a dead member wait that long
     * @param retention how long events are kept at least, for subscribers to come (24 h). Too low: these miss events. Too
     *     high: memory
     * @param trimEvery the time between two trimmings (1 min). Too low: work for nothing. Too high: memory
     */
    public record Timing(Duration answer, Duration lease, Duration retention, Duration trimEvery) {

        public static final Timing STANDARD =
                new Timing(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofHours(24), Duration.ofMinutes(1));

        private void addFaults(List<String> faults) {
            if (answer.toMillis() < 1) {
                faults.add("timing.answer must be at least 1 ms, but is " + answer);
            }
            if (lease.toMillis() < 100) {
                faults.add("timing.lease must be at least 100 ms, but is " + lease);
            }
            if (retention.isNegative()) {
                faults.add("timing.retention must not be negative, but is " + retention);
            }
            if (trimEvery.toMillis() < 1) {
                faults.add("timing.trimEvery must be at least 1 ms, but is " + trimEvery);
            }
        }
    }

    public RedisStreamsConfig {
        List<String> faults = new ArrayList<>();
        if (shards < 1 || shards > MOST_SHARDS) {
            faults.add("shards must be between 1 and " + MOST_SHARDS + ", but is " + shards);
        }
        if (maxMessageBytes < 1 || maxMessageBytes > REDIS_LIMIT) {
            faults.add("maxMessageBytes must be between 1 and " + REDIS_LIMIT + ", but is " + maxMessageBytes);
        }
        timing.addFaults(faults);
        StreamNames.addFaults(names, faults);
        if (!faults.isEmpty()) {
            throw new PosthornException(
                    "The Redis Streams transport can not be configured like this: " + String.join("; ", faults) + ".");
        }
    }

    /** With the prefix {@code posthorn} and all defaults. */
    public static RedisStreamsConfig at(RedisURI uri) {
        return new RedisStreamsConfig(
                uri,
                ClientOptions.create(),
                Names.withPrefix("posthorn"),
                Provisioning.STANDARD,
                Start.BEGINNING,
                8,
                8L << 20,
                Timing.STANDARD);
    }

    /** The same from text such as {@code rediss://user:password@host:6379/0}. */
    public static RedisStreamsConfig at(String uri) {
        try {
            return at(RedisURI.create(uri));
        } catch (IllegalArgumentException invalid) { // its message may repeat the text, and with it the password
            throw new PosthornException("This is no address of Redis; it looks like redis://host:6379,"
                    + " rediss://user:password@host:6379/0 or redis-sentinel://host:26379/0#master.");
        }
    }

    public RedisStreamsConfig client(ClientOptions client) {
        return new RedisStreamsConfig(uri, client, names, provision, start, shards, maxMessageBytes, timing);
    }

    public RedisStreamsConfig names(Names names) {
        return new RedisStreamsConfig(uri, client, names, provision, start, shards, maxMessageBytes, timing);
    }

    public RedisStreamsConfig provision(Provision mode) {
        return provision(provision.mode(mode));
    }

    public RedisStreamsConfig provision(Provisioning provision) {
        return new RedisStreamsConfig(uri, client, names, provision, start, shards, maxMessageBytes, timing);
    }

    public RedisStreamsConfig start(Start start) {
        return new RedisStreamsConfig(uri, client, names, provision, start, shards, maxMessageBytes, timing);
    }

    public RedisStreamsConfig shards(int shards) {
        return new RedisStreamsConfig(uri, client, names, provision, start, shards, maxMessageBytes, timing);
    }

    public RedisStreamsConfig maxMessageBytes(long maxMessageBytes) {
        return new RedisStreamsConfig(uri, client, names, provision, start, shards, maxMessageBytes, timing);
    }

    public RedisStreamsConfig timing(Timing timing) {
        return new RedisStreamsConfig(uri, client, names, provision, start, shards, maxMessageBytes, timing);
    }

    /** Without credentials. */
    @Override
    public String toString() {
        return "RedisStreamsConfig[" + Connector.describe(uri) + ", prefix=" + names.prefix() + ", provision="
                + provision
                + ", start=" + start + ", shards=" + shards + ", maxMessageBytes=" + maxMessageBytes + ", " + timing
                + "]";
    }
}
