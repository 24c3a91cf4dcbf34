package dev.posthorn.spring;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Transport;
import dev.posthorn.transports.memory.MemoryTransport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Opens what an address names. A transport's module is asked for only when an address wants it, so that an application has the
 * clients of the brokers that it uses and no others.
 */
final class TransportAddress {

    /** Within this process. */
    static final String MEMORY = "memory";
    /** The log of the application's own database. */
    static final String OWN_LOG = "postgres-log";

    private static final String FORMS = "amqp://…, kafka://…, redis://…, sns-sqs://…, arn:aws:sns:…, pubsub://…,"
            + " ipc:FOLDER, file:PATH, postgres-log or memory";

    /** What is said beside the address; the pace is that of consumers that read the log itself. */
    record Settings(
            String prefix,
            NameSettings names,
            Map<String, String> client,
            Provisioning provisioning,
            LogPlace place,
            String relay,
            RelayConfig pace) {}

    private interface Opener {
        Transport open(String address, Settings settings);
    }

    private record Kind(List<String> begins, String module, Opener opener) {}

    /** Method references into classes of their own: one is loaded when it is called, and not before. */
    private static final List<Kind> KINDS = List.of(
            new Kind(
                    List.of(MEMORY),
                    "memory",
                    (address, settings) -> MemoryTransport.builder().build()),
            new Kind(List.of(OWN_LOG), "postgres-log", (address, settings) -> OwnLog.open(settings)),
            new Kind(
                    List.of("amqp://", "amqps://"),
                    "rabbitmq",
                    (address, settings) -> RabbitMq.open(address, settings)),
            new Kind(List.of("kafka://"), "kafka", (address, settings) -> Kafka.open(address, settings)),
            new Kind(
                    List.of("redis://", "rediss://"),
                    "redis-streams",
                    (address, settings) -> RedisStreams.open(address, settings)),
            new Kind(List.of("sns-sqs://", "arn:"), "sns-sqs", (address, settings) -> SnsSqs.open(address, settings)),
            new Kind(List.of("pubsub://"), "google-pubsub", (address, settings) -> PubSub.open(address, settings)),
            new Kind(List.of("ipc:"), "ipc", (address, settings) -> Ipc.open(address)),
            new Kind(List.of("file:"), "file", (address, settings) -> Files.open(address, settings)));

    private TransportAddress() {}

    static boolean isOne(String text) {
        return kindOf(text).isPresent();
    }

    private static Optional<Kind> kindOf(String text) {
        return KINDS.stream()
                .filter(kind -> kind.begins().stream().anyMatch(begin -> fits(text, begin)))
                .findFirst();
    }

    /** What ends in a mark is followed by something, and all else is the whole address. */
    private static boolean fits(String text, String begin) {
        boolean whole = Character.isLetter(begin.charAt(begin.length() - 1));
        return whole ? text.equals(begin) : text.startsWith(begin) && text.length() > begin.length();
    }

    static String forms() {
        return FORMS;
    }

    static Transport open(String address, Settings settings) {
        Kind kind = kindOf(address)
                .orElseThrow(() -> new PosthornException("There is no transport at this address; use " + FORMS + "."));
        try {
            return kind.opener().open(address, settings);
        } catch (NoClassDefFoundError absent) {
            throw new PosthornException(
                    "The transport " + kind.module() + " is not on the class path: add the dependency"
                            + " dev.posthorn:posthorn-transport-" + kind.module() + ".",
                    absent);
        }
    }

    /** Has consumers of this process that read the log itself look at once. */
    static void wakeUp(Transport transport) {
        if (transport.name().equals(OWN_LOG)) {
            OwnLog.wakeUp(transport);
        }
    }

    private static final class OwnLog {
        static void wakeUp(Transport transport) {
            if (transport instanceof dev.posthorn.transports.postgreslog.PostgresLogTransport log) {
                log.wakeUp();
            }
        }

        static Transport open(Settings settings) {
            return dev.posthorn.transports.postgreslog.PostgresLogTransport.over(
                    new dev.posthorn.transports.postgreslog.LogDatabase(
                            settings.place().database(),
                            new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(
                                    settings.place().schema())),
                            PostgresRouteStores.of(
                                    settings.place().database(),
                                    settings.place().schema())),
                    dev.posthorn.transports.postgreslog.PostgresLogConfig.standard()
                            .withPrefix(settings.prefix())
                            .withProvision(settings.provisioning())
                            .withRelay(settings.pace()));
        }
    }

    private static final class RabbitMq {
        static Transport open(String address, Settings settings) {
            return new dev.posthorn.transports.rabbitmq.RabbitMqTransport(
                    dev.posthorn.transports.rabbitmq.RabbitMqConfig.of(
                                    dev.posthorn.transports.rabbitmq.Endpoint.parse(address), settings.prefix())
                            .named(settings.names())
                            .provision(settings.provisioning()));
        }
    }

    private static final class Kafka {
        static Transport open(String address, Settings settings) {
            dev.posthorn.transports.kafka.KafkaConfig config = dev.posthorn.transports.kafka.KafkaConfig.of(
                    address.substring("kafka://".length()), settings.prefix());
            return config.names(settings.names().applied(config.names()))
                    .client(settings.client())
                    .provision(settings.provisioning())
                    .build();
        }
    }

    private static final class RedisStreams {
        static Transport open(String address, Settings settings) {
            return new dev.posthorn.transports.redisstreams.RedisStreamsTransport(
                    dev.posthorn.transports.redisstreams.RedisStreamsConfig.at(address)
                            .names(settings.names().applied(Names.withPrefix(settings.prefix())))
                            .provision(settings.provisioning()));
        }
    }

    private static final class SnsSqs {
        static Transport open(String address, Settings settings) {
            int question = address.indexOf('?');
            String where = question < 0 ? address : address.substring(0, question);
            boolean named = where.startsWith("arn:");
            dev.posthorn.transports.snssqs.SnsSqsConfig config = named
                    ? dev.posthorn.transports.snssqs.SnsSqsConfig.ofTopic(where)
                    : dev.posthorn.transports.snssqs.SnsSqsConfig.of(
                                    dev.posthorn.transports.snssqs.AwsAccess.in(where.substring("sns-sqs://".length())))
                            .names(settings.names()
                                    .applied(dev.posthorn.transports.snssqs.SnsSqsConfig.names(settings.prefix())));
            dev.posthorn.transports.snssqs.SnsSqsConfig whole =
                    question < 0 ? config : config.options(address.substring(question + 1));
            return new dev.posthorn.transports.snssqs.SnsSqsTransport(
                    named ? whole : whole.provision(settings.provisioning()));
        }
    }

    private static final class PubSub {
        static Transport open(String address, Settings settings) {
            dev.posthorn.transports.googlepubsub.GooglePubSubConfig config =
                    dev.posthorn.transports.googlepubsub.GooglePubSubConfig.parse(address)
                            .prefix(settings.prefix());
            return new dev.posthorn.transports.googlepubsub.GooglePubSubTransport(
                    config.names(settings.names().applied(config.names())).provision(settings.provisioning()));
        }
    }

    private static final class Ipc {
        static Transport open(String address) {
            return new dev.posthorn.transports.ipc.IpcTransport(
                    dev.posthorn.transports.ipc.IpcConfig.in(Path.of(address.substring("ipc:".length()))));
        }
    }

    private static final class Files {
        static Transport open(String address, Settings settings) {
            Path file = Path.of(address.substring("file:".length())).toAbsolutePath();
            return new dev.posthorn.transports.file.FileTransport(file, settings.relay());
        }
    }
}
