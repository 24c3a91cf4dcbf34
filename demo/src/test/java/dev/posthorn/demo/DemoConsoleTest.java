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
    void itsLinkLeadsInAndNothingElseDoes() throws Exception {
        try (DemoConsole console = new DemoConsole(0)) {
            String[] link = console.address().split("#token=", 2);

            assertThat(get(link[0] + "v1/session").statusCode()).isEqualTo(401);
            assertThat(get(link[0] + "v1/session", "Authorization", "Bearer " + link[1])
                            .body())
                    .contains("\"role\":\"admin\"");
            assertThat(("  console at " + console.address()).length())
                    .as("a terminal has 80 columns, and half a link leads nowhere")
                    .isLessThan(80);
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

    private static HttpResponse<String> get(String address, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
