package dev.posthorn.transports.googlepubsub;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How to reach Pub/Sub and what to do there. Immutable. Its text shows no credentials.
 *
 * @param endpoint project, address, credentials
 * @param names of topics and subscriptions, over prefix, domain and subscriber. With {@code {domain}} in the template of the
 *     events each domain has a topic, which is the default; without it there is one for all
 * @param provision whether topics and subscriptions are made when missing ({@link Provision#CREATE})
 * @param subscriptions what those for subscribers are like
 * @param maxMessageBytes larger payloads are refused before they are sent (9 MiB). Pub/Sub takes 10,000,000 bytes with all
 *     attributes
 * @param timing how long things may take
 */
public record GooglePubSubConfig(
        Endpoint endpoint,
        Names names,
        Provisioning provision,
        SubscriptionSettings subscriptions,
        long maxMessageBytes,
        Timing timing) {

    /** Leaves room for the attributes, at most 100 of 1,280 bytes. */
    private static final long LARGEST = 9L << 20;

    private static final Pattern ADDRESS = Pattern.compile(
            "pubsub://(?<project>[a-z0-9.:-]+)(/(?<topic>[A-Za-z0-9._~+%-]+))?(\\?emulator=(?<emulator>[^\\s/@?&]+:[0-9]+))?");

    /**
     * How long things may take.
     *
     * @param answer until a call is answered (10 s). Too low: a slow server makes duplicates. Too high: a dead network is
     *     noticed late
     * @param discovery the time between two looks for topics of new domains, by subscribers of all domains (30 s). Too low:
     *     calls for nothing, which are limited. Too high: a topic that others made by hand is found late
     */
    public record Timing(Duration answer, Duration discovery) {

        public static final Timing STANDARD = new Timing(Duration.ofSeconds(10), Duration.ofSeconds(30));

        private void addFaults(List<String> faults) {
            if (answer.toMillis() < 1) {
                faults.add("timing.answer must be at least 1 ms, but is " + answer);
            }
            if (discovery.toMillis() < 1) {
                faults.add("timing.discovery must be at least 1 ms, but is " + discovery);
            }
        }
    }

    public GooglePubSubConfig {
        List<String> faults = new ArrayList<>();
        endpoint.addFaults(faults);
        TopicNames.addFaults(names, faults);
        subscriptions.addFaults(faults);
        if (maxMessageBytes < 1 || maxMessageBytes > LARGEST) {
            faults.add("maxMessageBytes must be between 1 and " + LARGEST + ", but is " + maxMessageBytes);
        }
        timing.addFaults(faults);
        if (!faults.isEmpty()) {
            throw new PosthornException(
                    "The Google Pub/Sub transport can not be configured like this: " + String.join("; ", faults) + ".");
        }
    }

    /** With the prefix {@code posthorn} and all defaults. */
    public static GooglePubSubConfig at(Endpoint endpoint) {
        return new GooglePubSubConfig(
                endpoint,
                Names.withPrefix("posthorn"),
                Provisioning.STANDARD,
                SubscriptionSettings.STANDARD,
                LARGEST,
                Timing.STANDARD);
    }

    /**
     * From text: {@code pubsub://PROJECT}, with {@code /TOPIC} for one topic for all, and with {@code ?emulator=HOST:PORT} for
     * an emulator, which {@value Endpoint#EMULATOR_HOST} names too.
     */
    public static GooglePubSubConfig parse(String address) {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) { // anything can be in it, so it is not repeated
            throw new PosthornException("This is no address of Pub/Sub; it looks like pubsub://PROJECT,"
                    + " pubsub://PROJECT/TOPIC or pubsub://PROJECT?emulator=HOST:PORT.");
        }
        String emulator = parts.group("emulator");
        String project = parts.group("project");
        String topic = parts.group("topic");
        GooglePubSubConfig config = at(emulator == null ? Endpoint.of(project) : Endpoint.emulator(project, emulator));
        return topic == null ? config : config.oneTopic(topic);
    }

    /** The same names with another prefix. */
    public GooglePubSubConfig prefix(String prefix) {
        return names(new Names(prefix, names.events(), names.subscribers(), names.deadLetters()));
    }

    public GooglePubSubConfig endpoint(Endpoint endpoint) {
        return new GooglePubSubConfig(endpoint, names, provision, subscriptions, maxMessageBytes, timing);
    }

    public GooglePubSubConfig names(Names names) {
        return new GooglePubSubConfig(endpoint, names, provision, subscriptions, maxMessageBytes, timing);
    }

    /** One topic for all domains, of this name or template, such as {@code pf-domain-events}. */
    public GooglePubSubConfig oneTopic(String template) {
        return names(names.events(template).subscribers("{prefix}-{subscriber}").deadLetters("{prefix}-dlq"));
    }

    public GooglePubSubConfig provision(Provision mode) {
        return provision(provision.mode(mode));
    }

    public GooglePubSubConfig provision(Provisioning provision) {
        return new GooglePubSubConfig(endpoint, names, provision, subscriptions, maxMessageBytes, timing);
    }

    public GooglePubSubConfig subscriptions(SubscriptionSettings subscriptions) {
        return new GooglePubSubConfig(endpoint, names, provision, subscriptions, maxMessageBytes, timing);
    }

    public GooglePubSubConfig maxMessageBytes(long maxMessageBytes) {
        return new GooglePubSubConfig(endpoint, names, provision, subscriptions, maxMessageBytes, timing);
    }

    public GooglePubSubConfig timing(Timing timing) {
        return new GooglePubSubConfig(endpoint, names, provision, subscriptions, maxMessageBytes, timing);
    }
}
