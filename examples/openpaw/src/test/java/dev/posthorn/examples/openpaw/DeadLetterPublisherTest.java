package dev.posthorn.examples.openpaw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.deadletter.Cause;
import dev.posthorn.deadletter.DeadLetter;
import dev.posthorn.deadletter.Source;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.DeadLetterPublisher;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Transport;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead letters that a program with its own loop publishes, read with the client of Redis. */
@Tag("slow")
class DeadLetterPublisherTest {

    private final Event event = Event.of("player", "FundsDeposited")
            .key("player-7")
            .sequence(3)
            .correlationId("hand-12")
            .json("{\"amount\": 50}")
            .build();

    @Test
    void theWholeRecordIsOneMessageOnTheStreamOfItsDomain() throws IOException {
        Scene.requireRedis();
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Transport deadLetterBus = open(Scene.redisUrl(redis.port()))) {
            // docs:start:dead-letter-publisher
            try (DeadLetterPublisher letters = new DeadLetterPublisher(deadLetterBus, Duration.ofSeconds(10))) {
                Source source = new Source("my-projector", "main", "projector", "host-17");
                letters.keep(DeadLetter.of(
                        event,
                        new DeadLetter.Raw(EventMessage.headersOf(event), event.payloadBytes()),
                        new Cause.ProcessingFailed("invalid state", 3, false),
                        source));
            }
            // docs:end:dead-letter-publisher

            JsonNode record = new ObjectMapper().readTree(only(Scene.redisUrl(redis.port()), "angzarr-dlq-player"));
            assertThat(record.at("/cover/domain").asText()).isEqualTo("player");
            assertThat(record.at("/cover/root").asText()).isEqualTo("player-7");
            assertThat(record.at("/cover/correlation_id").asText()).isEqualTo("hand-12");
            assertThat(record.at("/cover/event_id").asText())
                    .isEqualTo(event.id().toString());
            assertThat(record.at("/cover/sequence").asLong()).isEqualTo(3);
            assertThat(record.path("payload").asText()).isEqualTo("{\"amount\": 50}");
            assertThat(record.path("rejection_reason").asText()).isEqualTo("invalid state");
            assertThat(record.path("rejection_type").asText()).isEqualTo("processing-failed");
            assertThat(record.at("/rejection_details/attempts").asText()).isEqualTo("3");
            assertThat(record.at("/rejection_details/transient").asText()).isEqualTo("false");
            assertThat(record.path("source_component").asText()).isEqualTo("host-17");
            assertThat(record.path("source_component_type").asText()).isEqualTo("projector");
            assertThat(record.path("occurred_at").asText()).isNotEmpty();
            assertThat(record.path("metadata").isObject()).isTrue();
        }
    }

    @Test
    void aBrokerThatDoesNotTakeItIsAnException() {
        try (Transport absent = open("redis://127.0.0.1:1");
                DeadLetterPublisher letters = new DeadLetterPublisher(absent, Duration.ofSeconds(5))) {
            DeadLetter letter = DeadLetter.of(
                    event,
                    new DeadLetter.Raw(Map.of(), new byte[] {(byte) 0xff}),
                    new Cause.Rejected("no account"),
                    new Source("billing", "", "saga", "host-17"));

            assertThat(letter.json()).contains("\"payload_base64\":\"/w==\"");
            assertThatThrownBy(() -> letters.keep(letter))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("did not take dead letter " + letter.id());
        }
    }

    private static Transport open(String url) {
        return new RedisStreamsTransport(RedisStreamsConfig.at(url)
                .names(Names.withPrefix("angzarr").events("{prefix}-dlq-{domain}"))
                .shards(1));
    }

    private static String only(String url, String stream) {
        RedisClient client = RedisClient.create(url);
        try (var connection = client.connect()) {
            List<StreamMessage<String, String>> letters = connection.sync().xrange(stream, Range.unbounded());
            assertThat(letters).hasSize(1);
            return Objects.requireNonNull(letters.get(0).getBody().get("posthorn-payload"));
        } finally {
            client.shutdown();
        }
    }
}
