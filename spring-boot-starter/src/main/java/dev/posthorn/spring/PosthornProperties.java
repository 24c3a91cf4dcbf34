package dev.posthorn.spring;

import dev.posthorn.transport.NameSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What goes where.
 *
 * @param schema The schema that holds the log.
 * @param migrate Whether the schema is brought up to date at the start. Left out: an empty database gets the schema, and a schema
 *     that is older than this version is refused. If false, an empty database is refused too.
 * @param dataSource The name of the data source's bean, where there are several.
 * @param transport Where events go and come from unless a route or a consumer says otherwise: an address, the name of a
 *     transport below, or the name of a bean. Required unless there is exactly one transport.
 * @param transports Transports by name.
 * @param routes Routes by name. Left out: one called main, for all events.
 * @param consumers Consumers by name; those with handlers need not be named here.
 * @param confirmDestination Confirms that routes publish to another address or prefix than before, which is refused otherwise.
 *     For one start; remove it afterwards.
 */
@ConfigurationProperties("posthorn")
record PosthornProperties(
        @DefaultValue("posthorn") String schema,
        @Nullable Boolean migrate,
        @Nullable String dataSource,
        @Nullable String transport,
        @DefaultValue Map<String, Destination> transports,
        @DefaultValue Map<String, RouteProperties> routes,
        @DefaultValue Map<String, ConsumerProperties> consumers,
        @DefaultValue("false") boolean confirmDestination) {

    /**
     * A transport.
     *
     * @param address Where it is, such as amqp://user:password@host/vhost or kafka://host:9092.
     * @param prefix How names at the broker begin: exchanges, topics, streams.
     * @param provision What happens to exchanges, topics, streams and queues that are missing: create (those needed for the
     *     first time; one that existed before is named and left missing), verify (nothing is created) or off (nothing is
     *     created or looked for).
     * @param names Templates in the place of the transport's own names.
     * @param client Properties for Kafka's client, such as security.protocol.
     */
    record Destination(
            @Nullable String address,
            @DefaultValue("posthorn") String prefix,
            @DefaultValue("create") String provision,
            @DefaultValue NamesProperties names,
            @DefaultValue Map<String, String> client) {}

    /**
     * Names at the broker, over {prefix}, {domain}, {type}, {aggregate_type}, {tenant} and, of subscribers, {subscriber}.
     *
     * @param events Exchanges, topics or streams, such as {prefix}-events-{domain}.
     * @param subscribers Queues, subscriptions or groups, such as {prefix}-{subscriber}.
     * @param deadLetters Where rejected events go, such as {prefix}-dlq-{domain}.
     * @param routingKey Of RabbitMQ: routing keys, such as {aggregate_type}.{event_type}.
     */
    record NamesProperties(
            @Nullable String events,
            @Nullable String subscribers,
            @Nullable String deadLetters,
            @Nullable String routingKey) {

        static final NamesProperties STANDARD = new NamesProperties(null, null, null, null);

        NameSettings settings() {
            Map<String, String> given = new HashMap<>();
            put(given, NameSettings.EVENTS, events);
            put(given, NameSettings.SUBSCRIBERS, subscribers);
            put(given, NameSettings.DEAD_LETTERS, deadLetters);
            put(given, NameSettings.ROUTING_KEY, routingKey);
            return new NameSettings(given);
        }

        private static void put(Map<String, String> given, String of, @Nullable String template) {
            if (template != null) {
                given.put(of, template);
            }
        }
    }

    /**
     * A route.
     *
     * @param transport Where it goes: an address, the name of a transport, or the name of a bean.
     * @param domains Only events of these domains. Left out: of all.
     * @param types Only events of these types. Left out: of all.
     * @param tenants Only events of these tenants, and none without. Left out: all events.
     * @param start Where it starts if it is new: auto (the beginning for the first routes of a log, now for later ones), now,
     *     beginning, or a time such as 2026-03-01T00:00:00Z.
     * @param afterDead What a key does once one of its events is dead: continue, or hold until someone decides.
     * @param retry When a failed publish is tried again.
     * @param retryByType Another policy for one type of events, such as order.placed=fixed: ladder, exponential or fixed, with
     *     its standard numbers.
     */
    record RouteProperties(
            @Nullable String transport,
            @DefaultValue List<String> domains,
            @DefaultValue List<String> types,
            @DefaultValue List<String> tenants,
            @DefaultValue("auto") String start,
            @DefaultValue("continue") String afterDead,
            @DefaultValue RetryProperties retry,
            @DefaultValue Map<String, String> retryByType) {}

    /**
     * A consumer.
     *
     * @param enabled Whether this application takes part in it.
     * @param transport Where its events come from: an address, the name of a transport, or the name of a bean.
     * @param domains Only events of these domains. Left out: of all.
     * @param types Only events of these types. Left out: of all.
     * @param concurrency How many events are handled at once. Each takes a connection of the pool.
     * @param handlerTime How long one handling may take.
     * @param retry When a failed handling is tried again.
     * @param deadLetters Where what it gives up goes, beside the database.
     * @param unhandled What becomes of an event that no handler of any member wants: ignore, retry or dead-letter.
     */
    record ConsumerProperties(
            @DefaultValue("true") boolean enabled,
            @Nullable String transport,
            @DefaultValue List<String> domains,
            @DefaultValue List<String> types,
            @DefaultValue("4") int concurrency,
            @DefaultValue("1m") Duration handlerTime,
            @DefaultValue RetryProperties retry,
            @DefaultValue DeadLetterProperties deadLetters,
            @DefaultValue("ignore") String unhandled) {

        static ConsumerProperties standard() {
            return new ConsumerProperties(
                    true,
                    null,
                    List.of(),
                    List.of(),
                    4,
                    Duration.ofMinutes(1),
                    RetryProperties.standard(),
                    new DeadLetterProperties(false),
                    "ignore");
        }
    }

    /**
     * Dead letters of a consumer.
     *
     * @param alsoToTransport Whether they also go to the dead letters of the broker, with the whole record.
     */
    record DeadLetterProperties(@DefaultValue("false") boolean alsoToTransport) {}

    /**
     * When something is tried again.
     *
     * @param policy ladder, exponential or fixed. Left out: ladder for routes, 0.2 s doubled up to a minute for consumers.
     * @param maxAttempts Attempts before it is a dead letter. Left out: the policy's own number.
     * @param pauses Of ladder: the pauses; the last one repeats.
     * @param base Of exponential: the first pause is twice this.
     * @param max Of exponential: the longest pause.
     * @param pause Of fixed: the pause.
     */
    record RetryProperties(
            @Nullable String policy,
            @Nullable Integer maxAttempts,
            @DefaultValue List<Duration> pauses,
            @Nullable Duration base,
            @Nullable Duration max,
            @Nullable Duration pause) {

        static RetryProperties standard() {
            return new RetryProperties(null, null, List.of(), null, null, null);
        }
    }
}
