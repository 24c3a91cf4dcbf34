package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Probes are answered whatever else is open. */
@Tag("slow")
@Timeout(120)
class ProbesTest {

    private static final Duration PROMISED = Duration.ofSeconds(1);

    private final List<Socket> open = new ArrayList<>();
    private Scene scene;

    @BeforeEach
    void start() {
        scene = Scene.withoutDatabase(Scene.oneForEachRole());
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket one : open) {
            one.close();
        }
        scene.close();
    }

    @ParameterizedTest
    @CsvSource({
        "16, 'GET /v1/health/live HTTP/1.1\r\nHost: x\r\n'",
        "900, 'GET /v1/events HTTP/1.1\r\nHost: x\r\nX-Half: '",
        "200, ''",
        "200, 'G'",
        "64, 'POST /v1/prune HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{'",
        "64, 'POST /v1/prune HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9'",
        "64, 'GET /v1/session HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/session HTTP/1.1\r\nHost: '",
        "900, 'GET /v1/session HTTP/1.1\r\nHost: x\r\n\r\n'"
    })
    void theyAreAnsweredWithinASecond(int connections, String beginning) throws IOException {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < connections / 3 + 1; i++) {
                half(beginning);
            }
            for (String path : List.of("/v1/health/live", "/v1/health/ready", "/v1/health")) {
                long asked = System.nanoTime();

                int code = scene.send(HttpRequest.newBuilder(scene.uri(path)).timeout(Duration.ofSeconds(30)))
                        .code();

                assertThat(code).isEqualTo(200);
                assertThat(Duration.ofNanos(System.nanoTime() - asked))
                        .as("%s with %d open", path, open.size())
                        .isLessThan(PROMISED);
            }
        }
    }

    private void half(String beginning) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), scene.desk.port());
        open.add(socket);
        OutputStream out = socket.getOutputStream();
        out.write(beginning.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
