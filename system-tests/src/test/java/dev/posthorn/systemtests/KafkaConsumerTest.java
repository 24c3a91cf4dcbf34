package dev.posthorn.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

class KafkaConsumerTest extends ConsumerOnBroker {

    @Override
    ConsumedBroker startBroker() {
        return new OwnKafka(Brokers.orSkip(EmbeddedKafka::start));
    }

    private record OwnKafka(EmbeddedKafka broker) implements ConsumedBroker {

        @Override
        public String address() {
            return "kafka " + broker.address();
        }

        @Override
        public List<Letter> deadLetters(String subscriber, String domain) {
            try (KafkaConsumer<byte[], byte[]> client = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", broker.address()),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer())) {
                List<TopicPartition> partitions = client.partitionsFor(ConsumedBus.PREFIX + "-dlq-" + domain).stream()
                        .map(info -> new TopicPartition(info.topic(), info.partition()))
                        .toList();
                client.assign(partitions);
                client.seekToBeginning(partitions);
                Map<TopicPartition, Long> ends = client.endOffsets(partitions);
                List<Letter> letters = new ArrayList<>();
                while (partitions.stream().anyMatch(one -> client.position(one) < ends.getOrDefault(one, 0L))) {
                    client.poll(Duration.ofMillis(100)).forEach(found -> letters.add(letter(found)));
                }
                return letters;
            }
        }

        @Override
        public void inject(String domain, byte[] bytes) {
            try (KafkaProducer<byte[], byte[]> client = new KafkaProducer<>(
                    Map.of("bootstrap.servers", broker.address()),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                assertThat(client.send(new ProducerRecord<>(ConsumedBus.PREFIX + "-events-" + domain, bytes)))
                        .succeedsWithin(Duration.ofSeconds(20));
            }
        }

        private static Letter letter(ConsumerRecord<byte[], byte[]> found) {
            return new Letter(
                    header(found, "posthorn-id"),
                    header(found, "posthorn-dead-reason"),
                    ByteBuffer.wrap(found.value()));
        }

        private static String header(ConsumerRecord<byte[], byte[]> found, String name) {
            return new String(found.headers().lastHeader(name).value(), UTF_8);
        }

        @Override
        public void close() {
            broker.close();
        }
    }
}
