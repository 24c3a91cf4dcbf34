package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * What a subscriber has at the broker: the exchanges it is bound to, a queue for each shard, and one for dead letters.
 *
 * @param exchanges of events
 * @param queues in the order of the shards
 * @param deadLetterExchange a direct one
 * @param deadLetterQueue also its routing key there
 * @param membersQueue which every member consumes and nothing is sent to, so that they can be counted; the broker does not
 *     count consumers that stand by. Empty where members need not know
 */
record Layout(
        Set<String> exchanges,
        List<String> queues,
        String deadLetterExchange,
        String deadLetterQueue,
        Optional<String> membersQueue) {

    /** Throws {@link PosthornException} if there can be no such names, or the subscriber does not say enough for them. */
    static Layout of(RabbitMqConfig config, Subscriber subscriber) {
        String queue =
                RabbitMqConfig.name(only(config, subscriber, config.names().subscribers()));
        int shards = config.queues().shards();
        return new Layout(
                exchanges(config, subscriber),
                shards == 1
                        ? List.of(queue)
                        : IntStream.range(0, shards)
                                .mapToObj(i -> queue + "." + i)
                                .toList(),
                RabbitMqConfig.name(only(config, subscriber, config.names().deadLetters())),
                queue + ".dlq",
                config.queues().takeTurns() ? Optional.of(queue + ".members") : Optional.empty());
    }

    private static Set<String> exchanges(RabbitMqConfig config, Subscriber subscriber) {
        Set<String> all = names(config, subscriber, config.names().events());
        config.names()
                .events()
                .topics()
                .of(subscriber, config.names().prefix())
                .keySet()
                .forEach(name -> all.add(RabbitMqConfig.name(name)));
        return all;
    }

    private static String only(RabbitMqConfig config, Subscriber subscriber, NameTemplate template) {
        Set<String> all = names(config, subscriber, template);
        if (all.size() != 1) {
            throw new PosthornException(
                    "Subscriber " + subscriber.name() + " has one set of queues for all that it wants," + " but "
                            + template + " gives it several names: " + all + ".");
        }
        return all.iterator().next();
    }

    /** One for each wanted domain and type that the name depends on. */
    private static Set<String> names(RabbitMqConfig config, Subscriber subscriber, NameTemplate template) {
        Set<String> all = new LinkedHashSet<>();
        for (String domain : template.needs("domain") ? subscriber.domains() : Set.of("")) {
            for (String type : template.needs("type") ? subscriber.types() : Set.of("")) {
                Map<String, String> parts = new HashMap<>();
                parts.put("prefix", config.names().prefix());
                parts.put("subscriber", subscriber.name());
                parts.put("domain", domain);
                parts.put("type", type);
                all.add(RabbitMqConfig.name(template.fill(parts)));
            }
        }
        if (all.isEmpty()) {
            throw new PosthornException(
                    "Subscriber " + subscriber.name() + " must say which domains and types it wants,"
                            + " because the name " + template + " depends on them.");
        }
        return all;
    }

    /** Makes or looks for the exchange of events; what is missing is named by the exception. */
    static void provideEvents(Connection connection, String exchange, Provisioning provision)
            throws IOException, TimeoutException {
        if (!provision.isOff()) {
            new Topology(connection, provision).exchange(DestinationKind.EXCHANGE, exchange, BuiltinExchangeType.TOPIC);
        }
    }

    /**
     * Makes or looks for everything, bindings included where they are made. The dead letters' queue comes first: nothing may
     * be rejected before there is a place for it.
     */
    void provide(Connection connection, RabbitMqConfig config, Subscriber subscriber)
            throws IOException, TimeoutException {
        if (config.provision().isOff()) {
            return;
        }
        Topology topology = new Topology(connection, config.provision());
        for (String exchange : exchanges) {
            topology.exchange(DestinationKind.EXCHANGE, exchange, BuiltinExchangeType.TOPIC);
        }
        topology.exchange(DestinationKind.DEAD_LETTERS, deadLetterExchange, BuiltinExchangeType.DIRECT);
        Map<String, Object> plain = config.queues().plainArguments();
        topology.queue(DestinationKind.DEAD_LETTERS, deadLetterQueue, plain);
        if (membersQueue.isPresent()) {
            topology.queue(DestinationKind.QUEUE, membersQueue.get(), plain);
        }
        for (String queue : queues) {
            topology.queue(
                    DestinationKind.QUEUE, queue, config.queues().arguments(deadLetterExchange, deadLetterQueue));
        }
        if (config.provision().creates()) {
            bind(connection, config, subscriber);
        }
    }

    private void bind(Connection connection, RabbitMqConfig config, Subscriber subscriber)
            throws IOException, TimeoutException {
        try (Channel channel = connection.createChannel()) {
            channel.queueBind(deadLetterQueue, deadLetterExchange, deadLetterQueue);
            for (int i = 0; i < queues.size(); i++) {
                Routing.Shards shard = new Routing.Shards(i, queues.size());
                for (String pattern :
                        config.routing().patternsOf(subscriber, config.names().prefix(), shard)) {
                    for (String exchange : exchanges) {
                        channel.queueBind(queues.get(i), exchange, pattern);
                    }
                }
            }
        }
    }
}
