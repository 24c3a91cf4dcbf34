package dev.posthorn.server;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a system that had an outbox of its own calls things, and how it had them set.
 *
 * @param defaults by the path of the setting; a star stands for every name that there is
 * @param aliases its own variables
 */
record Profile(String name, String about, Map<String, String> defaults, List<Alias> aliases) {

    /**
     * A variable of such a system.
     *
     * @param path of the setting that it sets; empty if a relay has no use for it
     * @param form how a value is completed: a scheme such as {@code amqp://} is put before an address without one, anything
     *     else is a unit that is put behind a bare number
     * @param means what it does here, where that is not the same
     */
    record Alias(String variable, String path, String form, String means) {

        private static final String SCHEME = "://";

        String valueOf(String given) {
            String text = given.strip();
            if (form.endsWith(SCHEME)) {
                return text.contains(SCHEME) || text.isEmpty() ? text : form + text;
            }
            return text.matches("\\d+") ? text + form : text;
        }
    }

    private static final String BATCH = "relay.batch";
    private static final String POLL = "relay.idle-poll";
    private static final String POLICY = "routes.*.retry.policy";
    private static final String ATTEMPTS = "routes.*.retry.max-attempts";
    private static final String DOMAINS = "routes.*.domains";
    private static final String ENVELOPE = "routes.*.envelope";
    private static final String LAYOUT = "transports.*.layout";
    private static final String ADDRESS = "transports.*.address";
    private static final String EVENTS = "transports.*.names.events";
    private static final String REGISTRY = "registry.file";
    private static final String REGISTRY_MODE = "registry.mode";
    private static final String WARN = "warn";
    private static final String AS_ADDRESS = "The same; the scheme may be left out.";
    private static final String BATCH_MEANS =
            "Rows of one read per lane. Nothing is claimed: a relay reads its own lanes, and"
                    + " reads on while earlier ones are under way.";
    private static final String POLL_MEANS =
            "Only while idle. A busy relay looks again at once, and for 2 s after that every few milliseconds.";
    private static final String ATTEMPTS_MEANS =
            "Then an event is a dead letter, and its key goes on. An outage of the destination charges no attempt.";

    /** For whoever asks for the token of metrics by the name that everybody knows. */
    static final Alias METRICS_TOKEN = new Alias("METRICS_TOKEN", "http.metrics-token", "", "The same.");

    static final List<Profile> ALL = List.of(
            new Profile(
                    "licenses",
                    "Google Pub/Sub with one topic, and what subscribers filter by in attributes. Types and payloads are checked"
                            + " against the registry that is shipped with it; name your own file in `registry.file` once there are"
                            + " more types.",
                    Map.ofEntries(
                            entry(BATCH, "50"),
                            entry(POLL, "500ms"),
                            entry(POLICY, Settings.FIXED),
                            entry(ATTEMPTS, "25"),
                            entry(DOMAINS, "licenses"),
                            entry(ENVELOPE, "attributes"),
                            entry("transports.*.prefix", "pf"),
                            entry("transports.*.topic", "pf-domain-events"),
                            entry(REGISTRY, ShippedRegistry.PREFIX + "licenses"),
                            entry("retention.inbox", "720h"),
                            entry("retention.log", "30d")),
                    List.of(
                            new Alias(
                                    "GOOGLE_CLOUD_PROJECT",
                                    ADDRESS,
                                    "pubsub://",
                                    "The project, as Google's own libraries read it; PUBSUB_EMULATOR_HOST names an emulator."),
                            new Alias("PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", BATCH, "", BATCH_MEANS),
                            new Alias("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", POLL, "ms", POLL_MEANS),
                            new Alias("PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", ATTEMPTS, "", ATTEMPTS_MEANS),
                            new Alias("PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", "transports.*.topic", "", "The same."),
                            new Alias(
                                    "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL",
                                    "retention.inbox",
                                    "",
                                    "How long the inbox knows what was handled. The mark is in the handler's own transaction, so"
                                            + " it does not run out while an event is handled."),
                            new Alias(
                                    "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION",
                                    "",
                                    "",
                                    "Nothing: it belongs to consumers, which are configured in their own process."))),
            new Profile(
                    "holdco",
                    "RabbitMQ with the exchange holdco.events, routing keys by aggregate and type, and the envelope of the design."
                            + " The design names its knobs and not their variables; these are called after them.",
                    Map.ofEntries(
                            entry("transports.*.prefix", "holdco"),
                            entry(LAYOUT, Layout.AGGREGATES.word()),
                            entry(DOMAINS, "holdco"),
                            entry(ENVELOPE, "aggregate"),
                            entry(POLICY, Settings.EXPONENTIAL),
                            entry(ATTEMPTS, "10"),
                            entry("routes.*.retry.base", "5s"),
                            entry("routes.*.retry.max", "15m"),
                            entry(REGISTRY, ShippedRegistry.PREFIX + "holdco"),
                            entry(REGISTRY_MODE, WARN),
                            entry("retention.log", "30d")),
                    List.of(
                            new Alias("RABBITMQ_URL", ADDRESS, "amqp://", AS_ADDRESS),
                            new Alias("OUTBOX_BATCH_SIZE", BATCH, "", BATCH_MEANS),
                            new Alias("OUTBOX_POLL_INTERVAL_MS", POLL, "ms", POLL_MEANS),
                            new Alias("OUTBOX_MAX_ATTEMPTS", ATTEMPTS, "", ATTEMPTS_MEANS),
                            new Alias(
                                    "OUTBOX_BACKOFF_BASE_MS",
                                    "routes.*.retry.base",
                                    "ms",
                                    "The first pause is twice this."),
                            new Alias("OUTBOX_BACKOFF_MAX_MS", "routes.*.retry.max", "ms", "The longest pause."))),
            new Profile(
                    "openpaw",
                    "Redis Streams with one stream for each type of event, such as openpaw:asset.version.created. The design names no"
                            + " variables; REDIS_URL is what people have.",
                    Map.ofEntries(
                            entry("transports.*.prefix", "openpaw"),
                            entry(LAYOUT, Layout.TYPES.word()),
                            entry(DOMAINS, "openpaw"),
                            entry(REGISTRY, ShippedRegistry.PREFIX + "openpaw"),
                            entry(REGISTRY_MODE, WARN),
                            entry(BATCH, "50")),
                    List.of(new Alias("REDIS_URL", ADDRESS, "redis://", AS_ADDRESS))),
            new Profile(
                    "transfers",
                    "SNS and SQS with the FIFO topic of SNS_ARN, or events-transfers.fifo where the address is a region (SNS allows no"
                            + " dots). Amazon's region and credentials come from AWS_REGION and its other variables, as everywhere.",
                    Map.ofEntries(
                            entry(BATCH, "50"),
                            entry("relay.max-in-flight", "10"),
                            entry(POLICY, Settings.LADDER),
                            entry(ATTEMPTS, "10"),
                            entry(DOMAINS, "transfers,directory"),
                            entry(ENVELOPE, "transfers"),
                            entry(EVENTS, "events-transfers"),
                            entry(REGISTRY, ShippedRegistry.PREFIX + "transfers"),
                            entry(REGISTRY_MODE, WARN),
                            entry("routes.*.retry.pauses", "1s,5s,30s,2m,10m,1h")),
                    List.of(
                            new Alias("PG_DSN", "database.url", "", "The same, as a URL or as words of libpq."),
                            new Alias(
                                    "SNS_ARN",
                                    ADDRESS,
                                    "",
                                    "The same. The topic must exist; AWS_ENDPOINT_URL names an endpoint other than Amazon's."),
                            new Alias(
                                    "QUEUE_URL",
                                    "",
                                    "",
                                    "Nothing: it belongs to consumers, which are configured in their own process."))));

    /** The name of the route and the transport where a profile is used and none is named. */
    static final String MAIN = "main";

    static String[] names() {
        return new String[] {"holdco", "licenses", "openpaw", "transfers"};
    }

    static Optional<Profile> named(String name) {
        return ALL.stream().filter(profile -> profile.name().equals(name)).findFirst();
    }

    /** Whether one of its variables says where events go. */
    boolean knowsAddress() {
        return aliases.stream().anyMatch(alias -> alias.path().equals(ADDRESS));
    }
}
