package dev.posthorn.examples.holdco;

import dev.posthorn.transport.Names;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.Queues;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.Routing;

/** The exchange {@code holdco.events}, the five queues, and {@code holdco.events.dlx} with a queue of dead letters for each. */
public final class Topology {

    private Topology() {}

    // docs:start:holdco-topology
    /** One queue for each subscriber, called as the subscriber, and routing keys by aggregate type. */
    public static RabbitMqConfig at(Endpoint endpoint) {
        Routing routing = Routing.STANDARD.key("{aggregate-type}.{type}").slotted(false);
        for (Queue queue : Queue.values()) {
            routing = routing.bind(queue.queueName(), queue.bindings().toArray(String[]::new));
        }
        RabbitMqConfig standard = RabbitMqConfig.of(endpoint, "holdco");
        Names names = standard.names().subscribers("{subscriber}");
        return standard.names(names).routing(routing).queues(Queues.STANDARD.shards(1));
    }
    // docs:end:holdco-topology
}
