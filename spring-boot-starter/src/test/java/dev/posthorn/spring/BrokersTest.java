package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Addresses of real brokers in properties: what is emitted here is published there, and comes back to a handler. */
@Tag("slow")
class BrokersTest {

    private static final String RABBITMQ = "dev.posthorn.transports.rabbitmq.RabbitMqTransport";
    private static final String KAFKA = "dev.posthorn.transports.kafka.KafkaTransport";
    private static final String REDIS = "dev.posthorn.transports.redisstreams.RedisStreamsTransport";

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    static class Billing {

        private final List<Event> got = new CopyOnWriteArrayList<>();

        List<Event> got() {
            return got;
        }

        @EventHandler(consumer = "billing", types = "order.placed")
        void bill(Event event) {
            got.add(event);
        }
    }

    private static void need(boolean there, String otherwise) {
        assumeTrue(there || "true".equals(System.getenv("CI")), otherwise);
    }

    private static Shop start(String... properties) {
        String[] all = Stream.concat(Stream.of(Shop.WITHOUT_JPA), Arrays.stream(properties))
                .toArray(String[]::new);
        return Shop.start(List.of(Beans.class), all);
    }

    /** The only transport there is, so routes and consumers take it without naming it. */
    private static void comesBack(String address, String type, String... more) {
        String[] properties = Stream.concat(
                        Stream.of(
                                "posthorn.transports.broker.address=" + address,
                                "posthorn.transports.broker.prefix=shop"),
                        Arrays.stream(more))
                .toArray(String[]::new);
        try (Shop shop = start(properties)) {
            // When
            Event placed = shop.place("17");

            // Then
            Billing billing = shop.bean(Billing.class);
            Await.until("the event to come back", () -> !billing.got().isEmpty());
            assertThat(billing.got()).containsExactly(placed);
            assertThat(opened(shop)).isEqualTo(type);
            Await.until(
                    "the mark",
                    () -> shop.texts("SELECT consumer FROM posthorn.inbox").equals(List.of("billing")));
        }
    }

    private static String opened(Shop shop) {
        return shop.bean(Destinations.class)
                .find(null, "posthorn.transport", new CopyOnWriteArrayList<>())
                .orElseThrow()
                .getClass()
                .getName();
    }

    private static String amqp(EmbeddedRabbitMq broker) {
        EmbeddedRabbitMq.User user = EmbeddedRabbitMq.User.ADMIN;
        return "amqp://" + user.name() + ":" + user.password() + "@" + broker.host() + ":" + broker.port() + "/";
    }

    @Test
    void anEventComesBackFromRabbitmq() {
        need(EmbeddedRabbitMq.isInstalled(), "RabbitMQ is not installed");
        try (EmbeddedRabbitMq broker = EmbeddedRabbitMq.start()) {
            comesBack(amqp(broker), RABBITMQ);
        }
    }

    @Test
    void anEventComesBackFromKafkaByAClientWithPropertiesOfItsOwn() {
        try (EmbeddedKafka broker = EmbeddedKafka.start()) {
            comesBack(
                    "kafka://" + broker.address(),
                    KAFKA,
                    "posthorn.transports.broker.client.client.rack=attic",
                    "posthorn.transports.broker.client.metadata.max.age.ms=1000");
        }
    }

    @Test
    void anEventComesBackFromRedis() {
        need(EmbeddedRedis.isInstalled(), "redis-server is not installed");
        try (EmbeddedRedis broker = EmbeddedRedis.start()) {
            comesBack("redis://" + broker.host() + ":" + broker.port(), REDIS);
        }
    }

    @Test
    void twoBrokersAreTwoRoutesAndTheConsumerNamesItsOwn() {
        need(EmbeddedRedis.isInstalled(), "redis-server is not installed");
        need(EmbeddedRabbitMq.isInstalled(), "RabbitMQ is not installed");
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                EmbeddedRabbitMq rabbit = EmbeddedRabbitMq.start();
                Shop shop = start(
                        "posthorn.transports.near.address=redis://" + redis.host() + ":" + redis.port(),
                        "posthorn.transports.far.address=" + amqp(rabbit),
                        "posthorn.routes.near.transport=near",
                        "posthorn.routes.far.transport=far",
                        "posthorn.routes.far.types=order.packed",
                        "posthorn.consumers.billing.transport=near")) {
            // When
            Event placed = shop.place("17");

            // Then
            Billing billing = shop.bean(Billing.class);
            Await.until("the event to come back", () -> !billing.got().isEmpty());
            assertThat(billing.got()).containsExactly(placed);
        }
    }
}
