package dev.posthorn.server;

import dev.posthorn.transport.Names;
import dev.posthorn.transports.rabbitmq.Queues;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.Routing;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import java.util.Locale;

/** How names and routing keys at a broker are made: as Posthorn does by itself, or as one of the designs that it grew from does. */
enum Layout {
    /** The standard of each transport. */
    STANDARD,
    /** RabbitMQ: routing keys {@code <aggregate_type>.<event_type>} on one exchange, and a queue with the name of its subscriber. */
    AGGREGATES,
    /** Redis Streams: one plain stream for each type of event, {@code <prefix>:<event_type>}, and groups named as their subscribers. */
    TYPES;

    static String[] names() {
        return new String[] {STANDARD.word(), AGGREGATES.word(), TYPES.word()};
    }

    static Layout named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    RabbitMqConfig applied(RabbitMqConfig config) {
        if (this != AGGREGATES) {
            return config;
        }
        return config.names(config.names().subscribers("{subscriber}"))
                .routing(Routing.STANDARD.key("{aggregate-type}.{type}").slotted(false))
                .queues(Queues.STANDARD.shards(1));
    }

    RedisStreamsConfig applied(RedisStreamsConfig config, String prefix) {
        Names names = Names.withPrefix(prefix);
        if (this != TYPES) {
            return config.names(names);
        }
        return config.names(names.events("{prefix}:{type}")
                        .subscribers("{subscriber}")
                        .deadLetters("{prefix}:dead"))
                .shards(1);
    }
}
