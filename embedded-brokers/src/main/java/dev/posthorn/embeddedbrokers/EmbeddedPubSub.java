package dev.posthorn.embeddedbrokers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An emulator of Google Cloud Pub/Sub on a port of the loopback address: Google's own where the Cloud SDK's {@code
 * pubsub-emulator} is installed, else the test server of Google's Go library, built once from Debian's {@code
 * golang-google-cloud-dev}. Either keeps everything in memory: what it had is gone after {@link #kill}. Not thread-safe.
 */
public final class EmbeddedPubSub extends EmbeddedBroker {

    /** The Cloud SDK's folder, or that of its pubsub-emulator, where it is at no usual place. */
    public static final String FOLDER = "POSTHORN_PUBSUB_EMULATOR";

    private static final String HOST = "127.0.0.1";
    private static final int ANSWER_MILLIS = 2_000;

    /** Which emulator it is, and with that what it can. */
    public enum Kind {
        /** Google's: order, dead-letter policies and deadlines as in the cloud, nearly. */
        EMULATOR,
        /** The Go library's: takes order and dead-letter policies for granted and does nothing about them. */
        PSTEST;

        /** Whether the messages of an ordering key are delivered in order, to one stream at a time. */
        public boolean keepsOrder() {
            return this == EMULATOR;
        }

        /** Whether it moves what was delivered too often to the dead-letter topic, and counts deliveries. */
        public boolean deadLetters() {
            return this == EMULATOR;
        }

        /** Whether it refuses what the cloud refuses, such as attributes that are too long. */
        public boolean validates() {
            return this == EMULATOR;
        }
    }

    private final int port = BrokerProcess.freePort();
    private final Kind kind;
    private final List<String> command;

    private EmbeddedPubSub(Kind kind, List<String> command) {
        super("pubsub");
        this.kind = kind;
        this.command = command;
    }

    /** Whether this machine has either. */
    public static boolean isInstalled() {
        return PubSubEmulators.jar().isPresent() || PubSubEmulators.hasPstest();
    }

    /** Google's emulator, or else the other one. */
    public static EmbeddedPubSub start() {
        return start(PubSubEmulators.jar().isPresent() ? Kind.EMULATOR : Kind.PSTEST);
    }

    public static EmbeddedPubSub start(Kind kind) {
        EmbeddedPubSub emulator = new EmbeddedPubSub(kind, PubSubEmulators.command(kind));
        emulator.startAgain();
        return emulator;
    }

    public Kind kind() {
        return kind;
    }

    /** As in {@code PUBSUB_EMULATOR_HOST}. */
    public String address() {
        return HOST + ":" + port;
    }

    @Override
    Launch launch() {
        List<String> all = new ArrayList<>(command);
        all.addAll(kind == Kind.EMULATOR ? List.of("--host=" + HOST, "--port=" + port) : List.of(address()));
        return Launch.of(all);
    }

    /** The first thing that a server of HTTP/2 says, which comes when it is there altogether: its settings. */
    @Override
    boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
            byte[] frame = socket.getInputStream().readNBytes(9);
            return frame.length == 9 && frame[3] == 4;
        } catch (IOException notYet) {
            return false;
        }
    }
}
