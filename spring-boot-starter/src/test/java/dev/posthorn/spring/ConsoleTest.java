package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.Role;
import dev.posthorn.spring.WebShop.Reply;
import dev.posthorn.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console below a path of the application's own web server, with a token for each role. */
class ConsoleTest {

    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"#]+)\"|from '(\\./[^']+)'");
    private static final String REASON = "{\"reason\": \"the broker is moved\"}";

    private static WebShop web;

    @BeforeAll
    static void start() {
        web = WebShop.withTokens(
                "server.servlet.context-path=/shop",
                "posthorn.console.path=/admin/posthorn",
                "posthorn.transports.main.address=memory",
                "posthorn.transports.main.client.sasl=secret");
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    private static String at(String path) {
        return "/shop/admin/posthorn" + path;
    }

    @Test
    void thePageAndAllItRefersToAreBelowThePath() {
        Deque<URI> open = new ArrayDeque<>(List.of(URI.create(at("/"))));
        Set<URI> seen = new HashSet<>(open);
        while (!open.isEmpty()) {
            URI next = open.remove();
            Reply reply = web.send(web.request(next.toString()));
            assertThat(reply.code()).as(next.toString()).isEqualTo(200);
            assertThat(reply.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'self'");
            Matcher references = REFERENCE.matcher(reply.body());
            while (references.find()) {
                String reference = references.group(1) == null ? references.group(2) : references.group(1);
                URI found = next.resolve(reference);
                assertThat(found.getPath()).startsWith(at("/"));
                if (seen.add(found)) {
                    open.add(found);
                }
            }
        }
        assertThat(seen).hasSizeGreaterThan(20);
    }

    @Test
    void withoutTheSlashAtItsEndThePathLeadsToThePage() {
        Reply reply = web.send(web.request(at("")));

        assertThat(reply.code()).isEqualTo(302);
        assertThat(URI.create(at(""))
                        .resolve(reply.headers().firstValue("Location").orElseThrow()))
                .isEqualTo(URI.create(at("/")));
    }

    @Test
    void theApiTellsOfThisApplication() {
        web.shop().place("17");
        web.shop().place("a/b");

        assertThat(web.get(at("/v1/overview"), Role.VIEWER).json().has("totals"))
                .isTrue();
        assertThat(web.get(at("/v1/session"), Role.VIEWER).json().path("name").asText())
                .isEqualTo("viewer-ann");
        assertThat(web.get(at("/v1/keys/17"), Role.VIEWER).json().path("events"))
                .hasSize(1);
        assertThat(web.get(at("/v1/keys?key=a%2Fb"), Role.VIEWER).json().path("events"))
                .hasSize(1);
        assertThat(web.get(at("/v1/health"), Role.METRICS).json().path("routes"))
                .hasSize(1);
        assertThat(web.get(at("/v1/metrics"), Role.METRICS).code()).isEqualTo(200);
        assertThat(web.get(at("/v1/nothing"), Role.VIEWER).code()).isEqualTo(404);
    }

    @Test
    void whoBringsNoTokenOrAWrongOneIsRefused() {
        assertThat(web.send(web.request(at("/v1/overview"))).word()).isEqualTo("no-token");
        assertThat(web.send(web.request(at("/v1/overview")).header("Authorization", "Bearer guessed"))
                        .code())
                .isEqualTo(401);
        assertThat(web.send(web.request(at("/v1/health"))).json())
                .as("a word only")
                .hasSize(1);
    }

    @Test
    void aRoleThatIsTooLowChangesNothing() {
        Reply refused = web.send(
                web.change(at("/v1/routes/main/pause"), Role.VIEWER, REASON).header("Idempotency-Key", "low"));

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.word()).isEqualTo("role-too-low");
        assertThat(web.get(at("/v1/config"), Role.OPERATOR).word()).isEqualTo("role-too-low");
    }

    @Test
    void aChangeNeedsAReasonAndAKeyAndHappensOnceForEachKey() {
        String pause = at("/v1/routes/main/pause");
        assertThat(web.send(web.change(pause, Role.OPERATOR, REASON)).code()).isEqualTo(400);
        assertThat(web.send(web.change(pause, Role.OPERATOR, "{}").header("Idempotency-Key", "none"))
                        .code())
                .isEqualTo(400);

        // When
        Reply first = web.send(web.change(pause, Role.OPERATOR, REASON).header("Idempotency-Key", "once"));
        Reply again = web.send(web.change(pause, Role.OPERATOR, REASON).header("Idempotency-Key", "once"));

        // Then
        assertThat(first.code()).as(first.body()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(web.shop().texts("SELECT who FROM posthorn.operator_action WHERE reason = 'the broker is moved'"))
                .containsExactly("operator-ann");
    }

    @Test
    void aBodyThatIsTooLongIsRefused() {
        String longest = "{\"reason\": \"" + "x".repeat(1024 * 1024) + "\"}";

        assertThat(web.send(web.change(at("/v1/routes/main/resume"), Role.OPERATOR, longest)
                                .header("Idempotency-Key", "long"))
                        .code())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null"})
    void noPageOfAnotherOriginIsServed(String origin) {
        Reply reply = web.send(web.change(at("/v1/routes/main/pause"), Role.ADMIN, REASON)
                .header("Idempotency-Key", "evil")
                .header("Origin", origin));

        assertThat(reply.word()).isEqualTo("foreign-origin");
    }

    @Test
    void aHeadHasTheHeadersAndNoBody() {
        Reply reply = web.send(
                web.request(at("/v1/stream"), Role.VIEWER).method("HEAD", HttpRequest.BodyPublishers.noBody()));

        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        assertThat(reply.body()).isEmpty();
    }

    @Test
    void theStreamTellsWhatChanges() throws IOException {
        HttpResponse<InputStream> stream = stream();

        Set<String> kinds = new HashSet<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            while (!kinds.containsAll(Set.of("event: overview", "event: point"))) {
                String line = lines.readLine();
                assertThat(line).as("the stream goes on after " + kinds).isNotNull();
                kinds.add(line);
            }
        }
        assertThat(stream.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
    }

    /** The places of readers who have left are free a moment later. */
    private static HttpResponse<InputStream> stream() {
        List<HttpResponse<InputStream>> tried = new ArrayList<>();
        Await.until("there is a place", () -> {
            tried.add(0, web.open(at("/v1/stream"), Role.VIEWER));
            return tried.get(0).statusCode() == 200;
        });
        return tried.get(0);
    }

    @Test
    void readersOfTheStreamKeepNobodyFromAnAnswerAndTooManyAreRefused() throws IOException {
        List<HttpResponse<InputStream>> streams = new ArrayList<>();

        // When
        for (int i = 0; i < 33; i++) {
            streams.add(web.open(at("/v1/stream"), Role.VIEWER));
        }

        // Then
        assertThat(streams.get(32).statusCode()).isEqualTo(429);
        assertThat(web.get(at("/v1/overview"), Role.VIEWER).code()).isEqualTo(200);
        for (HttpResponse<InputStream> stream : streams) {
            stream.body().close();
        }
    }

    @Test
    void theConfigurationIsShownWithoutSecrets() {
        JsonNode values = web.get(at("/v1/config"), Role.ADMIN).json().path("values");

        assertThat(StreamSupport.stream(values.spliterator(), false)
                        .map(value -> value.path("key").asText() + "="
                                + value.path("value").asText()))
                .contains(
                        "posthorn.console.path=/admin/posthorn",
                        "posthorn.console.tokens.viewer-ann.role=viewer",
                        "posthorn.console.tokens.viewer-ann.sha256=***",
                        "posthorn.transports.main.client.sasl=***");
    }
}
