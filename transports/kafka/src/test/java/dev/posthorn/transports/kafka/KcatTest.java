package dev.posthorn.transports.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program sees that knows Kafka and not Posthorn. */
@Tag("slow")
class KcatTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String prefix = Published.newPrefix();

    @Test
    void aForeignClientReadsAnEventWithItsKeyAndHeaders() throws Exception {
        Path kcat = program();
        Event event = Event.of("orders", "Placed")
                .key("customer-1")
                .correlationId("request-7")
                .headers(Map.of("own", "kept"))
                .json("{\"total\": 3}")
                .build();
        try (KafkaTransport transport = broker.config(prefix).build()) {
            Published.by(transport, List.of(event));
        }

        String seen = read(kcat, prefix + "-events-orders");

        assertThat(seen)
                .startsWith("customer-1|{\"total\": 3}|")
                .contains("posthorn-id=" + event.id())
                .contains("posthorn-type=Placed")
                .contains("posthorn-correlation-id=request-7")
                .contains("content-type=application/json")
                .contains("own=kept");
    }

    private String read(Path kcat, String topic) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        kcat.toString(), "-C", "-q", "-e", "-b", broker.address(), "-t", topic, "-f", "%k|%s|%h\n")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    private static Path program() {
        Path kcat = Path.of("/usr/bin/kcat");
        if (!Files.isExecutable(kcat)) {
            String why = "kcat is not installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("No foreign client reads from Kafka: " + why);
            return Assumptions.abort(why);
        }
        return kcat;
    }
}
