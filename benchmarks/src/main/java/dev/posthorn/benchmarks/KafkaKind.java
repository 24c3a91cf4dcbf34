package dev.posthorn.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transports.kafka.KafkaConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka: one node, twelve partitions, acknowledged by all replicas, of which there is one. */
final class KafkaKind implements BrokerKind {

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public double promised() {
        return 0.7;
    }

    @Override
    public RunningBroker start() {
        EmbeddedKafka kafka = EmbeddedKafka.start();
        return new RunningBroker() {
            @Override
            public Bus open(String prefix) {
                return KafkaConfig.of(kafka.address(), prefix).build();
            }

            @Override
            public PlainClient client(String prefix) {
                return new Client(kafka.address(), prefix + "-events-orders");
            }

            @Override
            public void clear(String prefix) {
                try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
                    admin.deleteTopics(List.of(prefix + "-events-orders")).all().get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException("A topic can not be removed", e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void close() {
                kafka.close();
            }
        };
    }

    /** Idempotent, acknowledged by all, and otherwise as Kafka's producer is made. */
    private static final class Client implements PlainClient {

        private final KafkaProducer<byte[], byte[]> producer;
        private final String topic;

        Client(String address, String topic) {
            this.producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", address, "acks", "all", "enable.idempotence", true),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
            this.topic = topic;
            producer.partitionsFor(topic);
        }

        @Override
        public void publish(List<Event> events, Consumer<Event> confirmed) {
            CountDownLatch left = new CountDownLatch(events.size());
            for (Event event : events) {
                var unused = producer.send(record(event), (metadata, failure) -> {
                    if (failure == null) {
                        confirmed.accept(event);
                    }
                    left.countDown();
                });
            }
            producer.flush();
            try {
                left.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private ProducerRecord<byte[], byte[]> record(Event event) {
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(topic, event.key().orElseThrow().getBytes(UTF_8), event.payloadBytes());
            EventMessage.headersOf(event)
                    .forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
            return record;
        }

        @Override
        public void close() {
            producer.close();
        }
    }
}
