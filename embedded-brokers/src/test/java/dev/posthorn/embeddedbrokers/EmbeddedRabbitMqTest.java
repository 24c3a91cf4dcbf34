package dev.posthorn.embeddedbrokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EmbeddedRabbitMqTest {

    @BeforeAll
    static void needsRabbitMq() {
        String why = "RabbitMQ is not installed on this machine";
        if (!EmbeddedRabbitMq.isInstalled()) {
            System.out.println("The embedded RabbitMQ is not tested: " + why);
            assertThat(System.getenv("CI")).as(why).isNotEqualTo("true");
        }
        assumeTrue(EmbeddedRabbitMq.isInstalled(), why);
    }

    @Test
    void isReachableWhenStartedAndAgainAfterAKillButNotInBetween() throws IOException {
        var limited = new EmbeddedRabbitMq.User("limited", "secret", "^$", "^a\\.b$", "^$");
        try (var broker = EmbeddedRabbitMq.start(List.of(EmbeddedRabbitMq.User.ADMIN, limited), List.of())) {
            connect(broker);
            broker.kill();

            assertThatThrownBy(() -> connect(broker)).isInstanceOf(IOException.class);
            broker.startAgain();

            connect(broker);
            assertThat(broker.control("list_permissions")).contains("limited", "^a\\.b$");
        }
    }

    @Test
    void aCommandThatFailsSaysWhy() {
        try (var broker = EmbeddedRabbitMq.start()) {
            assertThatThrownBy(() -> broker.control("delete_user", "nobody"))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("nobody");
        }
    }

    private static void connect(EmbeddedRabbitMq broker) throws IOException {
        new Socket(broker.host(), broker.port()).close();
    }
}
