package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Relay processes that have nothing but a profile and the variables of its design, read by clients written as the design writes them. */
@Tag("slow")
@Timeout(300)
class ProfiledRelayTest {

    private static final String ORDER = "5f0c6a52-0000-4000-8000-000000000002";

    @TempDir
    private Path folder;

    private final ProfiledSystem system = new ProfiledSystem();

    @AfterEach
    void stop() {
        system.close();
    }

    @Test
    void holdcoReachesAQueueThatIsBoundAsTheDesignBindsIt() throws Exception {
        Assumptions.assumeTrue(EmbeddedRabbitMq.isInstalled(), "rabbitmq-server is not installed on this machine");
        system.views("holdco");
        try (EmbeddedRabbitMq broker = EmbeddedRabbitMq.start();
                Connection connection = connect(broker);
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("holdco.events", "topic", true);
            channel.queueDeclare("orders.consumer", true, false, false, null);
            channel.queueBind("orders.consumer", "holdco.events", "order.*");
            system.run(
                    "INSERT INTO event_outbox (id, group_id, aggregate_type, aggregate_id, event_type, payload) VALUES"
                            + " (gen_random_uuid(), '5f0c6a52-0000-4000-8000-000000000001', 'order', '" + ORDER
                            + "', 'created', '{\"order_no\": \"ORD-0001\"}')");
            Map<String, String> variables = Map.of("RABBITMQ_URL", address(broker));

            try (StartedRelay relay = new StartedRelay(variables, system.config(folder, "holdco")).untilStarted(1)) {
                AtomicReference<@Nullable GetResponse> got = new AtomicReference<>();
                relay.await("the message", () -> {
                    got.set(get(channel));
                    return got.get() != null;
                });

                GetResponse message = Objects.requireNonNull(got.get());
                assertThat(message.getEnvelope().getRoutingKey()).isEqualTo("order.created");
                assertThat(String.valueOf(message.getProps().getHeaders().get("x-aggregate-id")))
                        .isEqualTo(ORDER);
                JsonNode body = new ObjectMapper().readTree(message.getBody());
                assertThat(body.path("event_id").asText())
                        .isEqualTo(message.getProps().getMessageId());
                assertThat(body.path("aggregate_type").asText()).isEqualTo("order");
                assertThat(body.path("event_type").asText()).isEqualTo("created");
                assertThat(body.path("payload").path("order_no").asText()).isEqualTo("ORD-0001");
                assertThat(body.has("subsidiary_id")).isFalse();
                relay.await(
                        "the view says so",
                        () -> system.one("SELECT status FROM event_outbox").equals("published"));
            }
        }
    }

    @Test
    void openpawWritesOneStreamForEachType() throws Exception {
        Assumptions.assumeTrue(EmbeddedRedis.isInstalled(), "redis-server is not installed on this machine");
        system.views("openpaw");
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            String address = "redis://127.0.0.1:" + redis.port();
            RedisClient client = RedisClient.create(address);
            try (var connection = client.connect();
                    StartedRelay relay = new StartedRelay(
                                    Map.of("REDIS_URL", address), system.config(folder, "openpaw"))
                            .untilStarted(1)) {
                system.run(
                        "INSERT INTO outbox (event_type, payload, correlation_id, tenant_id) VALUES ('asset.version.created',"
                                + " '{\"asset_id\": \"a-1\"}', 'request-1', 'acme')");
                relay.await("the entry", () -> connection.sync().xlen("openpaw:asset.version.created") == 1);

                List<StreamMessage<String, String>> entries =
                        connection.sync().xrange("openpaw:asset.version.created", Range.unbounded());
                assertThat(entries.get(0).getBody())
                        .containsEntry("posthorn-payload", "{\"asset_id\": \"a-1\"}")
                        .containsEntry("posthorn-correlation-id", "request-1");
                assertThat(connection.sync().keys("openpaw[:-]*-[0-9]")).isEmpty();
                assertThat(connection.sync().keys("openpaw:*")).containsExactly("openpaw:asset.version.created");
            } finally {
                client.shutdown();
            }
        }
    }

    private static String address(EmbeddedRabbitMq broker) {
        return "amqp://admin:admin@" + broker.host() + ":" + broker.port();
    }

    private static Connection connect(EmbeddedRabbitMq broker) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(address(broker));
        return factory.newConnection();
    }

    private static @Nullable GetResponse get(Channel channel) {
        try {
            return channel.basicGet("orders.consumer", true);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
