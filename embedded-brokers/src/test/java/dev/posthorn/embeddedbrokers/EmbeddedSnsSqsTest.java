package dev.posthorn.embeddedbrokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EmbeddedSnsSqsTest {

    private static final Duration LONG = Duration.ofSeconds(10);

    @BeforeAll
    static void canBeStarted() {
        EmbeddedSnsSqs.obstacle().ifPresent(why -> {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("The embedded SNS and SQS are not tested: " + why);
            Assumptions.abort(why);
        });
    }

    @Test
    void whatWasMadeIsThereAfterAKill() throws Exception {
        try (EmbeddedSnsSqs broker = EmbeddedSnsSqs.start()) {
            assertThat(createQueue(broker, LONG)).contains("orders.fifo");
            broker.kill();

            broker.startAgain();

            assertThat(queues(broker)).contains("orders.fifo");
        }
    }

    @Test
    void aFrozenOneAnswersNothing() throws Exception {
        try (EmbeddedSnsSqs broker = EmbeddedSnsSqs.start()) {
            broker.freeze();
            assertThatThrownBy(() -> createQueue(broker, Duration.ofMillis(200)))
                    .isInstanceOf(HttpTimeoutException.class);

            broker.thaw();

            assertThat(createQueue(broker, LONG)).contains("orders.fifo");
        }
    }

    @Test
    void aClosedOneIsGone() {
        EmbeddedSnsSqs broker = EmbeddedSnsSqs.start();

        broker.close();

        assertThatThrownBy(() -> createQueue(broker, LONG)).isInstanceOf(IOException.class);
    }

    private static String createQueue(EmbeddedSnsSqs broker, Duration patience) throws Exception {
        return send(HttpRequest.newBuilder(broker.endpoint())
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "AmazonSQS.CreateQueue")
                .timeout(patience)
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"QueueName\":\"orders.fifo\",\"Attributes\":{\"FifoQueue\":\"true\"}}"))
                .build());
    }

    private static String queues(EmbeddedSnsSqs broker) throws Exception {
        return send(HttpRequest.newBuilder(broker.endpoint().resolve("/_fauxqs/queues"))
                .timeout(LONG)
                .build());
    }

    private static String send(HttpRequest request) throws Exception {
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
