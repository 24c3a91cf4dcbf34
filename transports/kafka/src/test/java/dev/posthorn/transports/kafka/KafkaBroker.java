package dev.posthorn.transports.kafka;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A real Kafka for tests, with what its own clients see there. */
final class KafkaBroker implements TestBroker, BrokerFaults {

    private static @Nullable KafkaBroker shared;

    private final EmbeddedKafka kafka;
    private final @Nullable Forwarder network;
    private boolean everybodys;

    private KafkaBroker(EmbeddedKafka kafka, @Nullable Forwarder network) {
        this.kafka = kafka;
        this.network = network;
    }

    /** One for all tests of this JVM that do it no harm, ended with it. */
    static synchronized KafkaBroker shared() {
        if (shared == null) {
            KafkaBroker broker = started();
            broker.everybodys = true;
            Runtime.getRuntime().addShutdownHook(new Thread(broker.kafka::close));
            shared = broker;
        }
        return shared;
    }

    static KafkaBroker started() {
        return new KafkaBroker(orSkip(EmbeddedKafka::start), null);
    }

    /** Clients that connect over the network use a separate listener, which advertises the network's address. */
    static KafkaBroker startedBehindANetwork() {
        Forwarder network = Forwarder.toNowhere();
        int controller = freePort();
        int door = freePort();
        network.lead(door);
        String own = "PLAINTEXT://{address},SASL_PLAINTEXT://{guarded-address},FAR://127.0.0.1:";
        return new KafkaBroker(
                orSkip(() -> EmbeddedKafka.start(Map.of(
                        "listeners",
                        own + door + ",CONTROLLER://127.0.0.1:" + controller,
                        "advertised.listeners",
                        own + network.port(),
                        "controller.quorum.voters",
                        "1@127.0.0.1:" + controller,
                        "listener.security.protocol.map",
                        "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,FAR:PLAINTEXT,CONTROLLER:PLAINTEXT"))),
                network);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it can not be started the tests are skipped, or fail with CI=true. */
    static EmbeddedKafka orSkip(Supplier<EmbeddedKafka> start) {
        try {
            return start.get();
        } catch (PosthornException noBroker) {
            if ("true".equals(System.getenv("CI"))) {
                return Assertions.fail(noBroker);
            }
            System.out.println("Nothing is tested with Kafka: " + noBroker.getMessage());
            return Assumptions.abort(String.valueOf(noBroker.getMessage()));
        }
    }

    /** Members are believed dead soon, but not so soon that a busy machine has a living one miss its heartbeats. */
    KafkaConfig config(String prefix) {
        return config(prefix, kafka.address());
    }

    private static KafkaConfig config(String prefix, String address) {
        return KafkaConfig.of(address, prefix)
                .answerTime(Duration.ofSeconds(4))
                .discovery(Duration.ofMillis(500))
                .client("session.timeout.ms", "6000")
                .client("heartbeat.interval.ms", "300");
    }

    String address() {
        return kafka.address();
    }

    String guardedAddress() {
        return kafka.guardedAddress();
    }

    @Override
    public Bus open(String prefix) {
        return config(prefix).build();
    }

    @Override
    public Bus openLenient(String prefix) {
        return open(prefix);
    }

    @Override
    public boolean inject(String prefix, String domain, byte[] bytes) {
        put(prefix + "-events-" + domain, bytes);
        return true;
    }

    void put(String topic, byte @Nullable [] value) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.address()), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new AssertionError(failed);
        }
    }

    @Override
    public List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain) {
        return records(prefix + "-dlq-" + domain).stream()
                .map(ConsumerRecord::value)
                .toList();
    }

    @Override
    public List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain) {
        return records(prefix + "-dlq-" + domain).stream()
                .map(record -> Records.headers(record).toString())
                .toList();
    }

    /** All records of a topic, none if it is not there. */
    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.address(), "allow.auto.create.topics", false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.listTopics().getOrDefault(topic, List.of()).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    /** Does something with Kafka's own administration client. */
    void administrate(Administration work) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
            work.with(admin);
        } catch (InterruptedException | ExecutionException failed) {
            throw new AssertionError(failed);
        }
    }

    interface Administration {
        void with(Admin admin) throws InterruptedException, ExecutionException;
    }

    void create(String topic, int partitions, Map<String, String> settings) {
        administrate(admin -> admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
                .all()
                .get());
    }

    /** What this group has committed, by partition. */
    Map<TopicPartition, OffsetAndMetadata> committed(String group) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        administrate(admin -> offsets.putAll(admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()));
        return offsets;
    }

    int port() {
        return Integer.parseInt(kafka.address().substring(kafka.address().lastIndexOf(':') + 1));
    }

    @Override
    public Optional<BrokerFaults> faults() {
        return Optional.of(this);
    }

    @Override
    public void kill() {
        kafka.kill();
    }

    @Override
    public void start() {
        kafka.startAgain();
    }

    @Override
    public void freeze() {
        kafka.freeze();
    }

    @Override
    public void thaw() {
        kafka.thaw();
    }

    @Override
    public Optional<Forwarder> network() {
        return Optional.ofNullable(network);
    }

    @Override
    public Bus openThroughNetwork(String prefix) {
        return config(prefix, "127.0.0.1:" + network().orElseThrow().port()).build();
    }

    @Override
    public void close() {
        if (!everybodys) {
            network().ifPresent(Forwarder::close);
            kafka.close();
        }
    }
}
