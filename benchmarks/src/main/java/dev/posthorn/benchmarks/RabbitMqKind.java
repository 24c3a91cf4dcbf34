package dev.posthorn.benchmarks;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.Endpoint.Login;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import java.io.IOException;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** RabbitMQ with a subscriber's quorum queues bound, persistent messages and confirms. */
final class RabbitMqKind implements BrokerKind {

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public double promised() {
        return 0.7;
    }

    @Override
    public RunningBroker start() {
        // What a run leaves must not raise an alarm, at which the broker takes nothing more.
        EmbeddedRabbitMq rabbit =
                EmbeddedRabbitMq.start(List.of(User.ADMIN), List.of("vm_memory_high_watermark.absolute = 4GB"));
        return new RunningBroker() {
            @Override
            public Bus open(String prefix) {
                return new RabbitMqTransport(RabbitMqConfig.of(
                        Endpoint.of(
                                rabbit.host() + ":" + rabbit.port(),
                                new Login(User.ADMIN.name(), User.ADMIN.password())),
                        prefix));
            }

            @Override
            public PlainClient client(String prefix) {
                try {
                    return new Client(rabbit, prefix + ".events");
                } catch (IOException | TimeoutException e) {
                    throw new IllegalStateException("RabbitMQ's own client does not connect", e);
                }
            }

            @Override
            public void clear(String prefix) {
                try (Client client = new Client(rabbit, prefix + ".events")) {
                    for (String queue : rabbit.control("list_queues", "--silent", "--no-table-headers", "name")
                            .lines()
                            .filter(name -> name.startsWith(prefix + "."))
                            .toList()) {
                        client.channel.queueDelete(queue);
                    }
                } catch (IOException | TimeoutException e) {
                    throw new IllegalStateException("RabbitMQ's queues can not be removed", e);
                }
            }

            @Override
            public void close() {
                rabbit.close();
            }
        };
    }

    /** The same bytes, mandatory, persistent, with a window of confirms, to the same exchange, bindings and queues. */
    private static final class Client implements PlainClient {

        /** As many as a relay has in flight with as many keys. */
        private static final int WINDOW = 1_000;
        /** The word by which the transport spreads keys over a subscriber's queues. */
        private static final int SLOTS = 16;

        private final Connection connection;
        private final Channel channel;
        private final String exchange;

        Client(EmbeddedRabbitMq rabbit, String exchange) throws IOException, TimeoutException {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setHost(rabbit.host());
            factory.setPort(rabbit.port());
            factory.setUsername(User.ADMIN.name());
            factory.setPassword(User.ADMIN.password());
            this.connection = factory.newConnection();
            this.channel = connection.createChannel();
            this.channel.confirmSelect();
            this.exchange = exchange;
        }

        @Override
        public void publish(List<Event> events, Consumer<Event> confirmed) {
            ConcurrentNavigableMap<Long, Event> unconfirmed = new ConcurrentSkipListMap<>();
            Semaphore window = new Semaphore(WINDOW);
            channel.addConfirmListener(
                    (tag, multiple) -> {
                        ConcurrentNavigableMap<Long, Event> done =
                                multiple ? unconfirmed.headMap(tag, true) : unconfirmed.subMap(tag, true, tag, true);
                        int count = 0;
                        for (Event event : done.values()) {
                            confirmed.accept(event);
                            count++;
                        }
                        done.clear();
                        window.release(count);
                    },
                    (tag, multiple) -> {
                        throw new IOException("the broker refused " + tag);
                    });
            try {
                for (Event event : events) {
                    window.acquire();
                    unconfirmed.put(channel.getNextPublishSeqNo(), event);
                    channel.basicPublish(exchange, routingKey(event), true, properties(event), event.payloadBytes());
                }
                window.acquire(WINDOW);
            } catch (IOException e) {
                throw new IllegalStateException("RabbitMQ's own client can not publish", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private static String routingKey(Event event) {
            int slot = Math.floorMod(event.key().orElseThrow().hashCode(), SLOTS);
            return event.domain() + "." + event.type().replace('.', '~') + "." + slot;
        }

        private static AMQP.BasicProperties properties(Event event) {
            Map<String, Object> headers = new HashMap<>(EventMessage.headersOf(event));
            headers.put("x-event-id", event.id().toString());
            headers.put("x-event-type", event.type());
            headers.put("x-attempts", 1);
            event.aggregateType().ifPresent(value -> headers.put("x-aggregate-type", value));
            event.aggregateId().ifPresent(value -> headers.put("x-aggregate-id", value));
            return new AMQP.BasicProperties.Builder()
                    .messageId(event.id().toString())
                    .type(event.type())
                    .timestamp(Date.from(event.occurredAt()))
                    .contentType(event.contentType())
                    .deliveryMode(2)
                    .headers(headers)
                    .build();
        }

        @Override
        public void close() {
            connection.abort();
        }
    }
}
