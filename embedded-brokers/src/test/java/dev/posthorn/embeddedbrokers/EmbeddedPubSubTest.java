package dev.posthorn.embeddedbrokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EmbeddedPubSubTest {

    private static final int SETTINGS = 4;

    @BeforeAll
    static void isInstalled() {
        if (!EmbeddedPubSub.isInstalled()) {
            skip("there is no emulator of Pub/Sub on this machine");
        }
    }

    private static void skip(String why) {
        if ("true".equals(System.getenv("CI"))) {
            Assertions.fail(why);
        }
        System.out.println("The embedded Pub/Sub is not tested: " + why);
        Assumptions.abort(why);
    }

    @Test
    void afterAKillItStartsAgainAtTheSamePort() throws IOException {
        try (EmbeddedPubSub emulator = EmbeddedPubSub.start()) {
            String address = emulator.address();
            emulator.kill();
            assertThatThrownBy(() -> firstFrame(emulator, 2_000)).isInstanceOf(IOException.class);

            emulator.startAgain();

            assertThat(emulator.address()).isEqualTo(address);
            assertThat(firstFrame(emulator, 5_000)).isEqualTo(SETTINGS);
        }
    }

    @Test
    void aFrozenOneTakesConnectionsAndAnswersNothing() throws IOException {
        try (EmbeddedPubSub emulator = EmbeddedPubSub.start()) {
            emulator.freeze();
            assertThatThrownBy(() -> firstFrame(emulator, 200)).isInstanceOf(SocketTimeoutException.class);

            emulator.thaw();

            assertThat(firstFrame(emulator, 5_000)).isEqualTo(SETTINGS);
        }
    }

    @Test
    void theOtherOneIsBuiltWhereItsSourcesAre() throws IOException {
        if (!PubSubEmulators.hasPstest()) {
            // Not a failure in CI either: it stands in for the emulator, which is there.
            System.out.println("skipped: pstest, because golang-go and golang-google-cloud-dev are not installed");
            Assumptions.abort("pstest is not here");
        }
        try (EmbeddedPubSub pstest = EmbeddedPubSub.start(EmbeddedPubSub.Kind.PSTEST)) {
            assertThat(firstFrame(pstest, 5_000)).isEqualTo(SETTINGS);
            assertThat(pstest.kind().keepsOrder()).isFalse();
        }
    }

    /** The type of the first frame of HTTP/2 that it sends. */
    private static int firstFrame(EmbeddedPubSub emulator, int millis) throws IOException {
        int port = Integer.parseInt(emulator.address().split(":", 2)[1]);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(millis);
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[] {0, 0, 0, SETTINGS, 0, 0, 0, 0, 0});
            byte[] frame = socket.getInputStream().readNBytes(9);
            if (frame.length < 9) {
                throw new IOException("it says nothing");
            }
            return frame[3];
        }
    }
}
