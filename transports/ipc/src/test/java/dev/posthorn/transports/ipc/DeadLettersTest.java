package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is rejected is in a file before the hub forgets it. */
class DeadLettersTest extends IpcTests {

    private final Inbound rejecting = new Inbound(delivery ->
            delivery.event().key().orElse("").equals("good") ? Verdict.done() : Verdict.reject("say \"no\"\n\tto ü😀"));

    @Test
    void aDeadLetterHasReasonSubscriberHeadersAndPayload() throws IOException {
        IpcTransport bus = transport();
        closing(bus.subscribe(Subscriber.named("billing"), rejecting));
        Event bad = Event.of("orders/eu", "Placed")
                .key("k\"1\"")
                .headers(Map.of("own", "ü\u0001"))
                .payload(new byte[] {0, (byte) 0xFF}, "application/octet-stream")
                .build();
        Path file = folder().resolve("dlq-orders-eu.jsonl");

        assertThat(outcomes(bus, List.of(bad))).containsOnly(Outcome.accepted());
        Await.until("the dead letter", () -> Files.exists(file) && lines(file).size() == 1);

        assertThat(lines(file).get(0))
                .startsWith("{\"reason\":\"say \\\"no\\\"\\n\\u0009to ü\\ud83d\\ude00\",\"subscriber\":\"billing\","
                        + "\"deliveries\":1,\"at\":\"")
                .contains("\"posthorn-id\":\"" + bad.id() + "\"")
                .contains("\"posthorn-key\":\"k\\\"1\\\"\"")
                .contains("\"own\":\"ü\\u0001\"")
                .endsWith("\"payload\":\"" + Base64.getEncoder().encodeToString(new byte[] {0, (byte) 0xFF}) + "\"}");
    }

    @Test
    void aDeadLetterThatCouldNotBeWrittenIsKeptAndWrittenLater() throws IOException {
        IpcTransport bus = transport();
        closing(bus.subscribe(Subscriber.named("billing"), rejecting));
        Path file = folder().resolve("dlq-orders.jsonl");
        Files.createDirectory(file); // no place for a file
        Event bad = event("bad");

        assertThat(outcomes(bus, List.of(bad, event("good")))).containsOnly(Outcome.accepted());
        rejecting.await(2);
        Files.delete(file);

        Await.until("the dead letter", () -> Files.exists(file) && lines(file).size() == 1);
        assertThat(lines(file).get(0)).contains(bad.id().toString());
        assertThat(rejecting.count()).isEqualTo(2);
    }

    @Test
    void aMessageOfNoDomainIsKeptAsUnknown() throws IOException {
        IpcTransport bus = transport();
        closing(bus.subscribe(Subscriber.named("all"), rejecting));
        try (RawClient client = new RawClient(new Folder(folder()).socket(Folder.HUB))) {
            client.greet();
            client.publish(1, Map.of(), "nonsense".getBytes(UTF_8));
            client.expect(Frames.ANSWER);
        }

        Path file = folder().resolve("dlq-unknown.jsonl");
        Await.until("the dead letter", () -> Files.exists(file) && lines(file).size() == 1);
        assertThat(rejecting.undecodable()).hasSize(1);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.isDirectory(file) ? List.of() : Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
