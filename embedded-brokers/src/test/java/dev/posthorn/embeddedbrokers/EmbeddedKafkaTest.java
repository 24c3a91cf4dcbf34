package dev.posthorn.embeddedbrokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {

    @AfterEach
    void forgetTheProperty() {
        System.clearProperty(EmbeddedKafka.LIB);
    }

    @Test
    @Tag("slow")
    void itComesBackAtTheSameAddressAfterAKillAndIsGoneAfterClosing() {
        EmbeddedKafka kafka = EmbeddedKafka.start();
        String address = kafka.address();
        assertThat(isOpen(address)).isTrue();
        assertThat(isOpen(kafka.guardedAddress())).isTrue();

        kafka.kill();
        assertThat(isOpen(address)).isFalse();
        kafka.startAgain();
        assertThat(isOpen(address)).isTrue();

        kafka.close();
        assertThat(isOpen(address)).isFalse();
    }

    @Test
    void aFolderWithoutABrokerIsNamed(@TempDir Path empty) {
        System.setProperty(EmbeddedKafka.LIB, empty.toString());

        assertThatThrownBy(EmbeddedKafka::start)
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining(empty.toString())
                .hasMessageContaining(EmbeddedKafka.LIB);
    }

    private static boolean isOpen(String address) {
        String[] parts = address.split(":", 2);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(parts[1])), 1_000);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }
}
