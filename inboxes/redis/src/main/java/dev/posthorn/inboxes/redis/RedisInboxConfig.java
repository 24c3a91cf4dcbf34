package dev.posthorn.inboxes.redis;

import dev.posthorn.event.PosthornException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where Redis is, how marks are called there, and how long things take. Immutable; the methods make copies.
 *
 * @param uri host, TLS, database, credentials, sentinels
 * @param client further options of the client, such as trust stores and socket options; reconnecting, queueing and the
 *     protocol version are set by the inbox
 * @param prefix the first word of every key (posthorn). Whoever changes it handles again what still comes
 * @param known how long it is known that an event is done (720 h). Too short: what comes again later has its effect again. Too
 *     long: memory, about 200 bytes for each event and handler
 * @param timing how long things may take
 */
public record RedisInboxConfig(RedisURI uri, ClientOptions client, String prefix, Duration known, Timing timing) {

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /**
     * How long things may take.
     *
     * @param answer until a command is answered (5 s). Too short: a slow server looks like an outage. Too long: a dead network
     *     is noticed late
     * @param lease how long a claim lasts that nobody renews (30 s); it is renewed every third of it while a handler runs. Too
     *     short: a process that pauses for longer has its event taken, and the effect happens twice. Too long: the event of a
     *     dead process waits that long
     * @param patience how long a second delivery of an event waits for the first (30 s). Too short: it comes again for nothing.
     *     Too long: a handler that hangs holds a second thread
     */
    public record Timing(Duration answer, Duration lease, Duration patience) {

        public static final Timing STANDARD =
                new Timing(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(30));

        public Timing answer(Duration answer) {
            return new Timing(answer, lease, patience);
        }

        public Timing lease(Duration lease) {
            return new Timing(answer, lease, patience);
        }

        public Timing patience(Duration patience) {
            return new Timing(answer, lease, patience);
        }

        private void addFaults(List<String> faults) {
            if (answer.toMillis() < 1) {
                faults.add("timing.answer must be at least 1 ms, but is " + answer);
            }
            if (lease.toMillis() < 100 || lease.compareTo(answer) < 0) {
                faults.add("timing.lease must be at least 100 ms and not shorter than timing.answer, but is " + lease);
            }
            if (patience.toMillis() < 1) {
                faults.add("timing.patience must be at least 1 ms, but is " + patience);
            }
        }
    }

    public RedisInboxConfig {
        List<String> faults = new ArrayList<>();
        if (!PREFIX.matcher(prefix).matches()) {
            faults.add("prefix must have 1 to 100 letters, digits and . _ - and begin with a letter or digit, but is \""
                    + prefix + "\"");
        }
        timing.addFaults(faults);
        if (known.compareTo(timing.lease()) < 0) {
            faults.add("known must not be shorter than timing.lease, but is " + known);
        }
        if (!faults.isEmpty()) {
            throw new PosthornException(
                    "The Redis inbox can not be configured like this: " + String.join("; ", faults) + ".");
        }
    }

    /** With the prefix {@code posthorn} and all defaults. */
    public static RedisInboxConfig at(RedisURI uri) {
        return new RedisInboxConfig(uri, ClientOptions.create(), "posthorn", Duration.ofDays(30), Timing.STANDARD);
    }

    /** The same from text such as {@code rediss://user:password@host:6379/0}. */
    public static RedisInboxConfig at(String uri) {
        try {
            return at(RedisURI.create(uri));
        } catch (IllegalArgumentException invalid) { // its message may repeat the text, and with it the password
            throw new PosthornException("This is no address of Redis; it looks like redis://host:6379,"
                    + " rediss://user:password@host:6379/0 or redis-sentinel://host:26379/0#master.");
        }
    }

    public RedisInboxConfig client(ClientOptions client) {
        return new RedisInboxConfig(uri, client, prefix, known, timing);
    }

    public RedisInboxConfig prefix(String prefix) {
        return new RedisInboxConfig(uri, client, prefix, known, timing);
    }

    public RedisInboxConfig known(Duration known) {
        return new RedisInboxConfig(uri, client, prefix, known, timing);
    }

    public RedisInboxConfig timing(Timing timing) {
        return new RedisInboxConfig(uri, client, prefix, known, timing);
    }

    /** Without credentials. */
    @Override
    public String toString() {
        return "RedisInboxConfig[" + Redis.describe(uri) + ", prefix=" + prefix + ", known=" + known + ", " + timing
                + "]";
    }
}
