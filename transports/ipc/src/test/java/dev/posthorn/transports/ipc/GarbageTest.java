package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever comes through the socket ends its own connection at most. */
class GarbageTest extends IpcTests {

    private static final Duration SILENCE = Duration.ofMillis(400);

    private IpcHub hub;
    private IpcTransport bus;
    private final Inbound inbound = new Inbound();
    private int expected;

    @Override
    IpcConfig config() {
        return super.config()
                .shape(Shape.HUB)
                .timing(TIMING.silence(SILENCE).answer(Duration.ofSeconds(2)))
                .limits(new IpcConfig.Limits(1_000, 16 << 20, 1 << 20, 40));
    }

    @BeforeEach
    void open() {
        hub = hub();
        bus = transport();
        closing(bus.subscribe(Subscriber.named("billing").domains("orders"), inbound));
    }

    private Path socket() {
        return new Folder(folder()).socket(Folder.HUB);
    }

    private RawClient client() throws IOException {
        return closing(new RawClient(socket()));
    }

    private RawClient greeted() throws IOException {
        RawClient client = client();
        client.greet();
        return client;
    }

    private void assertOthersAreWell() {
        List<Event> events = events(20, 5);
        assertThat(outcomes(bus, events)).containsOnly(Outcome.accepted());
        expected += 20;
        inbound.await(expected);
        assertThat(inbound.count()).isEqualTo(expected);
    }

    /** The end of the connection, or what the hub said before it. */
    private static @Nullable String lastWords(RawClient client) throws IOException {
        try {
            for (ByteBuffer frame = client.read(); frame != null; frame = client.read()) {
                if (frame.get() == Frames.BYE) {
                    return UTF_8.decode(frame.position(frame.position() + 4)).toString();
                }
            }
        } catch (IOException reset) {
            return null;
        }
        return null;
    }

    @Test
    void randomBytesEndTheirConnectionAndDisturbNobody() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            try (RawClient client = new RawClient(socket())) {
                byte[] bytes = new byte[1 + random.nextInt(2_000)];
                random.nextBytes(bytes);
                writeUntilClosed(client, ByteBuffer.wrap(bytes));
            }
        }

        assertOthersAreWell();
        Await.until("all to be gone", () -> hub.connections() <= 2);
    }

    @Test
    void randomFramesAfterAGreetingEndTheirConnectionAndDisturbNobody() throws IOException {
        Random random = new Random(11);
        for (int i = 0; i < 400; i++) {
            try (RawClient client = new RawClient(socket())) {
                client.greet();
                for (int frames = random.nextInt(5); frames >= 0; frames--) {
                    byte[] body = new byte[1 + random.nextInt(60)];
                    random.nextBytes(body);
                    body[0] = (byte) (random.nextInt(9) - 1);
                    writeUntilClosed(
                            client,
                            ByteBuffer.allocate(4 + body.length)
                                    .putInt(body.length)
                                    .put(body)
                                    .flip());
                }
            }
        }

        assertOthersAreWell();
        Await.until("all to be gone", () -> hub.connections() <= 2);
    }

    /** Valid frames of a publisher with one byte changed: what is still a message may arrive, nothing else happens. */
    @Test
    void messagesWithOneWrongByteDoNoHarm() throws IOException {
        Random random = new Random(13);
        ByteBuffer headers = Frames.headers(EventMessage.headersOf(event("k")));
        for (int i = 0; i < 400; i++) {
            ByteBuffer begin = Frames.publish(i, Acceptance.QUEUED, headers.remaining() + 3);
            ByteBuffer whole = ByteBuffer.allocate(begin.remaining() + headers.remaining() + 3)
                    .put(begin)
                    .put(headers.duplicate())
                    .put(new byte[] {1, 2, 3})
                    .flip();
            whole.put(4 + random.nextInt(whole.remaining() - 4), (byte) random.nextInt());
            try (RawClient client = new RawClient(socket())) {
                client.greet();
                writeUntilClosed(client, whole);
                client.channel().shutdownOutput();
                String unused = lastWords(client);
            }
        }

        Await.until("the queue to be empty", () -> hub.unsettled() == 0);
        expected = inbound.count();
        assertOthersAreWell();
    }

    private static void writeUntilClosed(RawClient client, ByteBuffer bytes) {
        try {
            client.write(bytes);
        } catch (IOException closed) {
            // that is what it is for
        }
    }

    @Test
    void aHugeLengthEndsTheConnectionBeforeAnythingIsRead() throws IOException {
        for (int length : new int[] {Integer.MAX_VALUE, -1, 0, 3 << 20}) {
            RawClient client = greeted();
            client.write(ByteBuffer.allocate(8).putInt(length).putInt(0).flip());

            assertThat(lastWords(client)).isNull();
        }
        assertOthersAreWell();
    }

    @Test
    void whoDoesNotGreetProperlyIsNotListenedTo() throws IOException {
        RawClient http = client();
        http.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8)));
        RawClient otherMagic = client();
        otherMagic.write(ByteBuffer.allocate(14)
                .putInt(10)
                .put((byte) 1)
                .putInt(42)
                .put((byte) 1)
                .putInt(9)
                .flip());

        assertThat(http.read()).isNull();
        assertThat(otherMagic.read()).isNull();
        assertOthersAreWell();
    }

    @Test
    void whoConnectsAndSaysNothingIsEnded() throws IOException {
        assertThat(client().read()).isNull();
    }

    @Test
    void halfAFrameIsNotWaitedForForever() throws IOException {
        RawClient client = greeted();
        client.write(ByteBuffer.allocate(6)
                .putInt(100)
                .put(Frames.PUBLISH)
                .put((byte) 0)
                .flip());

        assertThat(lastWords(client)).contains("hangs");
        assertOthersAreWell();
    }

    @Test
    void aFrameMayComeByteByByte() throws IOException {
        RawClient client = greeted();
        ByteBuffer headers = Frames.headers(EventMessage.headersOf(event("k")));
        ByteBuffer begin = Frames.publish(5, Acceptance.QUEUED, headers.remaining());
        for (ByteBuffer part : List.of(begin, headers)) {
            while (part.hasRemaining()) {
                client.write(ByteBuffer.wrap(new byte[] {part.get()}));
            }
        }

        ByteBuffer answer = client.expect(Frames.ANSWER);
        assertThat(answer.getLong()).isEqualTo(5);
        assertThat(answer.get()).isEqualTo(Frames.ACCEPTED);
        inbound.await(1);
    }

    @Test
    void theReasonIsSaidToWhoBreaksTheProtocol() throws IOException {
        RawClient unknown = greeted();
        unknown.write(Frames.bare((byte) 99));
        RawClient settling = greeted();
        settling.write(Frames.numbered(Frames.DONE, 1));
        RawClient both = greeted();
        both.write(Frames.join("x", List.of("payments"), List.of(), 1));
        both.publish(1, Map.of(), new byte[0]);
        RawClient nameless = greeted();
        nameless.write(Frames.join("../hub", List.of(), List.of(), 1));
        RawClient newer = client();
        newer.write(Frames.hello(1_000).put(9, (byte) 9));

        assertThat(lastWords(unknown)).contains("no frame of type 99");
        assertThat(lastWords(settling)).contains("without being a member");
        assertThat(lastWords(both)).contains("can not publish on the same connection");
        assertThat(lastWords(nameless)).contains("A subscriber's name");
        assertThat(newer.read()).isNull();
        assertOthersAreWell();
    }

    @Test
    void aMemberThatNeverReadsIsEndedAndItsEventsGoToAnother() throws IOException {
        RawClient deaf = greeted();
        deaf.write(Frames.join("audit", List.of("orders"), List.of(), 1_000));
        ByteBuffer unused = deaf.expect(Frames.JOINED);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            events.add(Event.of("orders", "Placed")
                    .payload(new byte[100_000], "application/octet-stream")
                    .build());
        }
        Inbound second = new Inbound();

        assertThat(outcomes(bus, events)).containsOnly(Outcome.accepted());
        inbound.await(40);
        closing(bus.subscribe(Subscriber.named("audit").domains("orders"), second));

        second.await(40);
        assertThat(second.first()).containsExactlyInAnyOrderElementsOf(events);
    }

    @Test
    void aPublisherThatNeverReadsItsAnswersIsNotReadFromAnyMoreAndThenEnded() throws IOException {
        RawClient deaf = greeted();
        deaf.channel().configureBlocking(false);
        long written = 0;
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        boolean ended = false;
        while (!ended && System.nanoTime() - end < 0) {
            try {
                written += deaf.channel().write(Frames.numbered(Frames.PING, 1));
            } catch (IOException closed) {
                ended = true;
            }
        }

        assertThat(ended).as("ended").isTrue();
        assertThat(written).as("bytes that were taken").isLessThan(8 << 20);
        assertOthersAreWell();
    }

    @Test
    void tooManyConnectionsAreTurnedAwayAndThoseThatAreThereGoOn() throws IOException {
        List<RawClient> crowd = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            crowd.add(client());
        }

        assertThat(hub.connections()).isLessThanOrEqualTo(40);
        assertThat(crowd.get(59).read()).isNull();
        Await.until("the crowd to be ended", () -> hub.connections() <= 2);
        assertOthersAreWell();
    }
}
