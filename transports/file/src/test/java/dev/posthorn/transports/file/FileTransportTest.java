package dev.posthorn.transports.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTransportTest {

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("events.jsonl");
    }

    @Test
    void aLineTellsEverythingAboutTheEvent() {
        Event event = Event.of("orders", "Placed")
                .id(UUID.fromString("0190a000-0000-7000-8000-000000000001"))
                .key("customer-1")
                .sequence(7)
                .aggregate("order", "42")
                .tenant("acme")
                .correlationId("request-1")
                .causationId("command-1")
                .traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .header("b", "\"2\"\n")
                .header("a", "1")
                .occurredAt(Instant.parse("2026-04-30T23:59:59.000001Z"))
                .json("{\"total\": 1}")
                .build();

        publish(new FileTransport(file, "relay-1", new StallingClock()), new TrackedPublication(event, 3));

        assertThat(contentOf(file))
                .isEqualTo("{\"published_at\":\"2026-05-01T12:00:00.123456Z\",\"relay\":\"relay-1\",\"attempt\":3,"
                        + "\"id\":\"0190a000-0000-7000-8000-000000000001\",\"domain\":\"orders\",\"type\":\"Placed\","
                        + "\"key\":\"customer-1\",\"sequence\":7,\"aggregate_type\":\"order\",\"aggregate_id\":\"42\","
                        + "\"tenant\":\"acme\",\"correlation_id\":\"request-1\",\"causation_id\":\"command-1\","
                        + "\"traceparent\":\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\","
                        + "\"headers\":{\"a\":\"1\",\"b\":\"\\\"2\\\"\\n\"},\"content_type\":\"application/json\","
                        + "\"occurred_at\":\"2026-04-30T23:59:59.000001Z\",\"payload_base64\":\"eyJ0b3RhbCI6IDF9\","
                        + "\"payload\":\"{\\\"total\\\": 1}\"}\n");
    }

    @Test
    void whatAnEventDoesNotHaveIsLeftOut() {
        publish(new FileTransport(file), new TrackedPublication(event(), 1));

        JsonNode line = Lines.of(file).get(0);
        assertThat(line.fieldNames())
                .toIterable()
                .containsExactly(
                        "published_at",
                        "attempt",
                        "id",
                        "domain",
                        "type",
                        "headers",
                        "content_type",
                        "occurred_at",
                        "payload_base64");
        assertThat(line.get("headers").isEmpty()).isTrue();
    }

    @Test
    void everyCharacterOfAPayloadComesBackAsText() {
        StringBuilder all = new StringBuilder();
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .forEach(all::appendCodePoint);
        Event event = Event.of("orders", "Placed")
                .payload(all.toString().getBytes(UTF_8), "Text/Plain; charset=utf-8")
                .build();

        publish(new FileTransport(file), new TrackedPublication(event, 1));

        assertThat(Lines.of(file).get(0).get("payload").textValue().equals(all.toString()))
                .isTrue();
    }

    @Test
    void aPayloadThatIsNotTextIsThereInBase64Only() {
        Event broken = Event.of("orders", "Placed")
                .payload(new byte[] {(byte) 0xFF}, "application/json")
                .build();
        Event binary = Event.of("orders", "Placed")
                .payload(new byte[] {'a'}, "application/protobuf")
                .build();

        publish(new FileTransport(file), new TrackedPublication(broken, 1), new TrackedPublication(binary, 1));

        assertThat(Lines.of(file)).noneMatch(line -> line.has("payload"));
        assertThat(Lines.of(file))
                .extracting(line -> line.get("payload_base64").textValue())
                .containsExactly("/w==", "YQ==");
    }

    @Test
    void aLineThatACrashLeftHalfWrittenDoesNotSwallowTheNextEvent() throws IOException {
        Files.writeString(file, "{\"id\":\"whole\"}\n{\"id\":\"ha");
        Event event = event();

        publish(new FileTransport(file), new TrackedPublication(event, 1));

        List<String> lines = contentOf(file).lines().toList();
        assertThat(lines).hasSize(3).startsWith("{\"id\":\"whole\"}", "{\"id\":\"ha");
        assertThat(Lines.received(Lines.parsed(lines.get(2))).id()).isEqualTo(event.id());
    }

    @Test
    void aLineThatAnotherProcessTearsMeanwhileDoesNotSwallowTheNextEvent() throws IOException {
        try (FileTransport transport = new FileTransport(file);
                Publisher publisher = transport.publisher()) {
            TrackedPublication before = new TrackedPublication(event(), 1);
            publisher.publish(List.of(before));
            before.awaitOutcome();
            Files.writeString(file, "{\"id\":\"ha", StandardOpenOption.APPEND);
            TrackedPublication after = new TrackedPublication(event(), 1);

            publisher.publish(List.of(after));

            after.awaitOutcome();
            List<String> lines = contentOf(file).lines().toList();
            assertThat(lines).hasSize(3).contains("{\"id\":\"ha");
            assertThat(Lines.received(Lines.parsed(lines.get(2))).id())
                    .isEqualTo(after.event().id());
        }
    }

    @Test
    void aMissingDirectoryIsUnavailableUntilItIsThere() throws IOException {
        Path later = directory.resolve("later/events.jsonl");
        try (FileTransport transport = new FileTransport(later);
                Publisher publisher = transport.publisher()) {
            TrackedPublication tooEarly = new TrackedPublication(event(), 1);
            publisher.publish(List.of(tooEarly));
            assertThat(tooEarly.awaitOutcome())
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            outcome -> assertThat(outcome.reason()).contains(later.toString()));
            Files.createDirectory(later.getParent());
            TrackedPublication again = new TrackedPublication(tooEarly.event(), 1);

            publisher.publish(List.of(again));

            assertThat(again.awaitOutcome()).isEqualTo(Outcome.accepted());
            assertThat(Lines.of(later)).hasSize(1);
        }
    }

    @Test
    void aFullDiskIsUnavailable() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "this system has no /dev/full");
        TrackedPublication publication = new TrackedPublication(event(), 1);

        publish(new FileTransport(full), publication);

        assertThat(publication.settlements())
                .singleElement()
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        outcome -> assertThat(outcome.reason()).contains("No space left"));
    }

    @Test
    void aFileThatWasRemovedIsCreatedAgain() throws IOException {
        try (FileTransport transport = new FileTransport(file);
                Publisher publisher = transport.publisher()) {
            TrackedPublication before = new TrackedPublication(event(), 1);
            publisher.publish(List.of(before));
            before.awaitOutcome();
            Files.delete(file);
            TrackedPublication after = new TrackedPublication(event(), 1);

            publisher.publish(List.of(after));

            assertThat(after.awaitOutcome()).isEqualTo(Outcome.accepted());
            assertThat(Lines.of(file)).extracting(Lines::received).hasSize(1);
        }
    }

    @Test
    void twoTransportsAppendToOneFileWithoutMixingTheirLines() {
        List<CompletableFuture<Void>> both = new ArrayList<>();
        for (String relay : List.of("relay-1", "relay-2")) {
            both.add(CompletableFuture.runAsync(
                    () -> publish(new FileTransport(file, relay), manyOfVariousSizes(2_000))));
        }

        both.forEach(CompletableFuture::join);

        assertThat(Lines.of(file))
                .extracting(line -> line.get("relay").textValue())
                .hasSize(4_000)
                .containsOnly("relay-1", "relay-2");
    }

    @Test
    void closingWritesWhatIsQueued() {
        TrackedPublication[] publications = manyOfVariousSizes(500);
        FileTransport transport = new FileTransport(file);
        transport.publisher().publish(List.of(publications));

        transport.close();

        assertThat(publications).allSatisfy(one -> assertThat(one.settlements()).containsExactly(Outcome.accepted()));
        assertThat(Lines.of(file)).hasSize(500);
    }

    @Test
    void aPayloadTooLargeForALineIsRefusedAndItsNeighboursAreNot() {
        TrackedPublication large = new TrackedPublication(
                Event.of("orders", "Placed")
                        .payload(new byte[FileTransport.MAX_PAYLOAD_BYTES + 1], "application/octet-stream")
                        .build(),
                1);
        TrackedPublication neighbour = new TrackedPublication(event(), 1);

        publish(new FileTransport(file), large, neighbour);

        assertThat(large.settlements()).hasSize(1).first().isInstanceOf(Outcome.Refused.class);
        assertThat(neighbour.settlements()).containsExactly(Outcome.accepted());
    }

    private static void publish(FileTransport transport, TrackedPublication... publications) {
        try (transport) {
            transport.publisher().publish(List.of(publications));
        }
    }

    private static TrackedPublication[] manyOfVariousSizes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of("orders", "Placed")
                        .payload("x".repeat(i * 37 % 5_000).getBytes(UTF_8), "text/plain")
                        .build())
                .map(event -> new TrackedPublication(event, 1))
                .toArray(TrackedPublication[]::new);
    }

    private static Event event() {
        return Event.of("orders", "Placed").build();
    }

    private static String contentOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}
