package dev.posthorn.embeddedbrokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EmbeddedRedisTest {

    @BeforeAll
    static void isInstalled() {
        if (!EmbeddedRedis.isInstalled()) {
            String why = "redis-server is not installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("The embedded Redis is not tested: " + why);
            Assumptions.abort(why);
        }
    }

    @Test
    void whatWasAnsweredIsThereAfterAKill() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThat(ask(redis, "SET a 1", 5_000)).isEqualTo("+OK");
            redis.kill();

            redis.startAgain();

            assertThat(ask(redis, "STRLEN a", 5_000)).isEqualTo(":1");
        }
    }

    @Test
    void itsSettingsCanBeChosen() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start(Map.of("appendfsync", "always", "maxclients", "1"))) {
            assertThat(ask(redis, "CONFIG GET appendfsync", 5_000)).isEqualTo("*2");
        }
    }

    @Test
    void aFrozenOneTakesConnectionsAndAnswersNothing() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            redis.freeze();
            assertThatThrownBy(() -> ask(redis, "PING", 200)).isInstanceOf(SocketTimeoutException.class);

            redis.thaw();

            assertThat(ask(redis, "PING", 5_000)).isEqualTo("+PONG");
        }
    }

    @Test
    void aClosedOneIsGone() {
        EmbeddedRedis redis = EmbeddedRedis.start();

        redis.close();

        assertThatThrownBy(() -> ask(redis, "PING", 5_000)).isInstanceOf(IOException.class);
    }

    private static String ask(EmbeddedRedis redis, String command, int millis) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
            socket.setSoTimeout(millis);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }
}
