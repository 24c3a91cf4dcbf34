package dev.posthorn.examples.licenses;

import dev.posthorn.event.PosthornException;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transports.googlepubsub.Endpoint;
import dev.posthorn.transports.googlepubsub.GooglePubSubConfig;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The design's six environment variables, and what they set here.
 *
 * @param batch {@value #BATCH}: rows of one read for each lane (50)
 * @param poll {@value #POLL}: how long an idle relay waits between two looks, and the pause between attempts (500 ms)
 * @param maxAttempts {@value #ATTEMPTS}: then an event is FAILED (25)
 * @param topic {@value #TOPIC}: where all events go (pf-domain-events)
 * @param subscription {@value #SUBSCRIPTION}: what the worker reads; the design has no default (pf-domain-events-compliance)
 * @param known {@value #TTL}: how long Redis knows that an event is done (720h)
 */
public record Variables(int batch, Duration poll, int maxAttempts, String topic, String subscription, Duration known) {

    static final String BATCH = "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE";
    static final String POLL = "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS";
    static final String ATTEMPTS = "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS";
    static final String TOPIC = "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC";
    static final String SUBSCRIPTION = "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION";
    static final String TTL = "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL";

    /** The first word of the design's keys in Redis, and of what there is at Pub/Sub beside topic and subscription. */
    private static final String PREFIX = "pf";

    /**
     * Reads them; what is not set has the design's default.
     *
     * @throws PosthornException with all that is wrong
     */
    public static Variables of(Map<String, String> environment) {
        Reader reader = new Reader(environment, new ArrayList<>());
        Variables variables = new Variables(
                reader.number(BATCH, 50),
                Duration.ofMillis(reader.number(POLL, 500)),
                reader.number(ATTEMPTS, 25),
                reader.text(TOPIC, "pf-domain-events"),
                reader.text(SUBSCRIPTION, "pf-domain-events-compliance"),
                reader.time(TTL, Duration.ofDays(30)));
        if (!reader.faults().isEmpty()) {
            throw new PosthornException(
                    "The environment can not be used like this: " + String.join("; ", reader.faults()) + ".");
        }
        return variables;
    }

    // docs:start:licenses-variables
    public RelayConfig relay() {
        return RelayConfig.standard().withPage(batch).withIdlePoll(poll);
    }

    public RetryPolicy retries() {
        return RetryPolicy.fixed(maxAttempts, poll);
    }

    public GooglePubSubConfig topology(Endpoint endpoint) {
        GooglePubSubConfig one = GooglePubSubConfig.at(endpoint).prefix(PREFIX).oneTopic(topic);
        return one.names(
                one.names().subscribers("{subscriber}")); // called as the variable says, with nothing before it
    }

    /** Keys are {@code pf:evt:processed:<consumer>:<event_id>}. */
    public RedisInboxConfig marks(String redis) {
        return RedisInboxConfig.at(redis).prefix(PREFIX).known(known);
    }
    // docs:end:licenses-variables

    private record Reader(Map<String, String> environment, List<String> faults) {

        String text(String name, String standard) {
            String value = environment.getOrDefault(name, "").strip();
            return value.isEmpty() ? standard : value;
        }

        int number(String name, int standard) {
            String value = text(name, Integer.toString(standard));
            try {
                int number = Integer.parseInt(value);
                if (number >= 1) {
                    return number;
                }
            } catch (NumberFormatException noNumber) {
                // said below, with the others
            }
            faults.add(name + " is " + value + ", but must be a whole number from 1");
            return standard;
        }

        /** As Go writes it: 720h, 1h30m, 90s. */
        Duration time(String name, Duration standard) {
            String value = text(name, standard.toHours() + "h");
            try {
                return Duration.parse("PT" + value.toUpperCase(Locale.ROOT));
            } catch (DateTimeException noTime) {
                faults.add(name + " is " + value + ", but must be a time such as 720h or 1h30m");
                return standard;
            }
        }
    }
}
