package dev.posthorn.transports.snssqs;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where SNS and SQS are, what things are called there, and how patient to be. Immutable; the methods make copies.
 *
 * @param access region, endpoint, credentials, account
 * @param names of topics, queues and queues of dead letters, without {@code .fifo}; characters other than letters, digits, -
 *     and _ become hyphens. Default {@code {prefix}-events}, {@code {prefix}-{subscriber}} and {@code
 *     {prefix}-{subscriber}-dlq}
 * @param provision whether topics, queues and subscriptions are made when missing ({@link Provision#CREATE})
 * @param rawDelivery whether a new subscription brings messages as they were published (true), or wrapped in a notification
 *     of SNS, which is larger. Both are read, whatever this says
 * @param limits how much at once
 * @param timing how long things may take
 */
public record SnsSqsConfig(
        AwsAccess access, Names names, Provisioning provision, boolean rawDelivery, Limits limits, Timing timing) {

    /**
     * How much at once.
     *
     * @param prefetch how many messages a member has unsettled, if its subscriber does not say (100). Too low: a call for
     *     each event. Too high: members share unevenly, and a crash hides more until their visibility ends
     * @param calls how many calls to SNS a publisher has under way (8), each with up to ten events of different keys. Too
     *     low: slow. Too high: connections and threads for nothing, as the topic's own limit is reached
     * @param maxReceives how often SQS hands out a message before it moves it to the dead letters by itself (1,000). Retries
     *     of a handler do not count, only members that die or leave while they have it. Too low: deployments make dead
     *     letters. Too high: an event that kills its handler's process does so often
     */
    public record Limits(int prefetch, int calls, int maxReceives) {

        public static final Limits STANDARD = new Limits(100, 8, 1_000);

        private void addFaults(List<String> faults) {
            if (prefetch < 1) {
                faults.add("limits.prefetch must be at least 1, but is " + prefetch);
            }
            if (calls < 1 || calls > 100) {
                faults.add("limits.calls must be between 1 and 100, but is " + calls);
            }
            if (maxReceives < 1 || maxReceives > 1_000) {
                faults.add("limits.maxReceives must be between 1 and 1000, but is " + maxReceives);
            }
        }
    }

    /**
     * How long things may take.
     *
     * @param answer until an answer is given up (10 s). Too low: a slow service makes unknown outcomes. Too high: a dead
     *     network is noticed late
     * @param visibility how long SQS hides a message from others; extended each third of it while the message is here
     *     (30 s). In whole seconds, 1 s to 12 h. Too low: a pause of the process lets another member begin with what is
     *     still at hand. Too high: what a dead member had comes that late. Should be twice of what handlers take
     * @param poll how long one call waits for messages (5 s), and so how long closing may take. In whole seconds, 0 to 20.
     *     Too low: more calls, which cost money. Too high: closing waits for it
     */
    public record Timing(Duration answer, Duration visibility, Duration poll) {

        public static final Timing STANDARD =
                new Timing(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(5));

        public Timing answer(Duration answer) {
            return new Timing(answer, visibility, poll);
        }

        public Timing visibility(Duration visibility) {
            return new Timing(answer, visibility, poll);
        }

        public Timing poll(Duration poll) {
            return new Timing(answer, visibility, poll);
        }

        private void addFaults(List<String> faults) {
            if (answer.toMillis() < 1) {
                faults.add("timing.answer must be at least 1 ms, but is " + answer);
            }
            addFault("timing.visibility", visibility, Duration.ofSeconds(1), Duration.ofHours(12), faults);
            addFault("timing.poll", poll, Duration.ZERO, Duration.ofSeconds(20), faults);
        }

        private static void addFault(String key, Duration time, Duration least, Duration most, List<String> faults) {
            if (time.compareTo(least) < 0 || time.compareTo(most) > 0 || time.toNanosPart() != 0) {
                faults.add(key + " must be whole seconds between " + least.toSeconds() + " and " + most.toSeconds()
                        + ", but is " + time);
            }
        }
    }

    public SnsSqsConfig {
        List<String> faults = new ArrayList<>();
        access.addFaults(faults);
        if (!provision.creates() && access.account().isEmpty()) {
            faults.add(
                    "access.account is needed where provision is not CREATE: a topic can not be addressed without it");
        }
        limits.addFaults(faults);
        timing.addFaults(faults);
        Layout.addFaults(names, faults);
        if (!faults.isEmpty()) {
            throw new PosthornException(
                    "The SNS/SQS transport can not be configured like this: " + String.join("; ", faults) + ".");
        }
    }

    /** With the prefix {@code posthorn} and all defaults. */
    public static SnsSqsConfig of(AwsAccess access) {
        return new SnsSqsConfig(
                access, names("posthorn"), Provisioning.STANDARD, true, Limits.STANDARD, Timing.STANDARD);
    }

    /**
     * Publishes to exactly this topic, which must exist: {@code arn:aws:sns:REGION:ACCOUNT:NAME.fifo}.
     *
     * <p>Nothing is created; {@link #provision} changes that.
     */
    public static SnsSqsConfig ofTopic(String arn) {
        TopicAddress topic = TopicAddress.parse(arn);
        AwsAccess access = AwsAccess.in(topic.region()).account(topic.account());
        Names names = names("posthorn");
        return new SnsSqsConfig(
                access,
                names.events(topic.name()),
                Provisioning.of(Provision.OFF),
                true,
                Limits.STANDARD,
                Timing.STANDARD);
    }

    /** With what stands behind the question mark of an address: {@code account=123456789012&endpoint=http://host:4566}. */
    public SnsSqsConfig options(String query) {
        SnsSqsConfig config = this;
        for (String option : query.split("&", -1)) {
            int equal = option.indexOf('=');
            String name = equal < 0 ? option : option.substring(0, equal);
            String value = option.substring(equal + 1);
            config = switch (name) {
                case "account" -> config.access(config.access().account(value));
                case "endpoint" -> config.access(config.access().endpoint(endpoint(value)));
                default ->
                    throw new PosthornException(
                            "An address of SNS and SQS has the options account and endpoint, and no others.");
            };
        }
        return config;
    }

    private static URI endpoint(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException wrong) { // its message repeats the text
            throw new PosthornException(
                    "The endpoint of SNS and SQS is not a URI; it looks like http://127.0.0.1:4566.");
        }
    }

    /** The transport's own names with this prefix. */
    public static Names names(String prefix) {
        return new Names(
                prefix,
                NameTemplate.ofEvents("{prefix}-events"),
                NameTemplate.ofSubscribers("{prefix}-{subscriber}"),
                NameTemplate.ofSubscribers("{prefix}-{subscriber}-dlq"));
    }

    public SnsSqsConfig access(AwsAccess access) {
        return new SnsSqsConfig(access, names, provision, rawDelivery, limits, timing);
    }

    /** The transport's own names with this prefix. */
    public SnsSqsConfig prefix(String prefix) {
        return names(names(prefix));
    }

    public SnsSqsConfig names(Names names) {
        return new SnsSqsConfig(access, names, provision, rawDelivery, limits, timing);
    }

    /**
     * Every subscriber reads exactly this queue: {@code https://sqs.REGION.amazonaws.com/ACCOUNT/NAME.fifo}; its dead letters
     * are in {@code NAME-dlq.fifo}. For processes with one subscriber.
     */
    public SnsSqsConfig queue(String url) {
        String name = Layout.withoutSuffix(url.substring(url.lastIndexOf('/') + 1));
        return names(new Names(
                names.prefix(),
                names.events(),
                NameTemplate.ofSubscribers(name),
                NameTemplate.ofSubscribers(name + "-dlq")));
    }

    public SnsSqsConfig provision(Provision mode) {
        return provision(provision.mode(mode));
    }

    public SnsSqsConfig provision(Provisioning provision) {
        return new SnsSqsConfig(access, names, provision, rawDelivery, limits, timing);
    }

    public SnsSqsConfig rawDelivery(boolean rawDelivery) {
        return new SnsSqsConfig(access, names, provision, rawDelivery, limits, timing);
    }

    public SnsSqsConfig limits(Limits limits) {
        return new SnsSqsConfig(access, names, provision, rawDelivery, limits, timing);
    }

    public SnsSqsConfig timing(Timing timing) {
        return new SnsSqsConfig(access, names, provision, rawDelivery, limits, timing);
    }
}
