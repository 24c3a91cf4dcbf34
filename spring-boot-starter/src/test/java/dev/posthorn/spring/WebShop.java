package dev.posthorn.spring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.console.Role;
import dev.posthorn.console.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** An application on a real web server, asked over HTTP. */
final class WebShop implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** What came back. */
    record Reply(int code, String body, java.net.http.HttpHeaders headers) {

        JsonNode json() {
            try {
                return MAPPER.readTree(body);
            } catch (IOException invalid) {
                throw new UncheckedIOException(body, invalid);
            }
        }

        String word() {
            return json().path("code").asText();
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Shop shop;

    private WebShop(Shop shop) {
        this.shop = shop;
    }

    static WebShop start(String... properties) {
        List<String> all = new ArrayList<>(List.of(
                Shop.WITHOUT_JPA,
                "spring.main.web-application-type=servlet",
                "server.port=0",
                "server.address=127.0.0.1"));
        all.addAll(Arrays.asList(properties));
        return new WebShop(Shop.start(List.of(), all.toArray(String[]::new)));
    }

    /** With the console, and a token for each role. */
    static WebShop withTokens(String... properties) {
        List<String> all = new ArrayList<>(List.of("posthorn.console.enabled=true"));
        for (Role role : Role.values()) {
            String property = "posthorn.console.tokens." + role.word() + "-ann.";
            all.add(property + "role=" + role.word());
            all.add(property + "sha256=" + Tokens.hashOf(token(role)));
        }
        all.addAll(Arrays.asList(properties));
        return start(all.toArray(String[]::new));
    }

    static String token(Role role) {
        return role.word() + "-token";
    }

    Shop shop() {
        return shop;
    }

    int port() {
        return Integer.parseInt(Objects.requireNonNull(
                shop.context().getEnvironment().getProperty("local.server.port"), "the web server has no port"));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofMinutes(1));
    }

    HttpRequest.Builder request(String path, Role role) {
        return request(path).header("Authorization", "Bearer " + token(role));
    }

    HttpRequest.Builder change(String path, Role role, String body) {
        return request(path, role)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    Reply send(HttpRequest.Builder request) {
        HttpResponse<String> answer = sent(request, HttpResponse.BodyHandlers.ofString());
        return new Reply(answer.statusCode(), answer.body(), answer.headers());
    }

    Reply get(String path, Role role) {
        return send(request(path, role));
    }

    HttpResponse<InputStream> open(String path, Role role) {
        return sent(request(path, role), HttpResponse.BodyHandlers.ofInputStream());
    }

    private <T> HttpResponse<T> sent(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) {
        try {
            return client.send(request.build(), body);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        shop.close();
    }
}
