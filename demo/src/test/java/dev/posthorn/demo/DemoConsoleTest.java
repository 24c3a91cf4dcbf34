package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class DemoConsoleTest {

    @Test
    void thePageIsServedBeforeThereIsADatabase() throws Exception {
        try (DemoConsole console = new DemoConsole(0)) {
            HttpResponse<String> page = get(console.address());

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("<title>Posthorn</title>");
        }
    }

    @Test
    void aPortThatIsTakenIsNoReasonToGoWithout() throws Exception {
        try (DemoConsole first = new DemoConsole(0);
                DemoConsole second = new DemoConsole(URI.create(first.address()).getPort())) {
            assertThat(second.address()).isNotEqualTo(first.address());
            assertThat(get(second.address()).statusCode()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> get(String address) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
