package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.console.Console;
import dev.posthorn.console.GeneratedToken;
import dev.posthorn.console.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Where the console is, and for whom, and that it stands in nobody's way. */
@Tag("slow")
class ConsolePlaceTest {

    private static final String URL = Shop.database();
    private static final AutoConfigurations ALL = AutoConfigurations.of(
            DataSourceAutoConfiguration.class,
            DataSourceTransactionManagerAutoConfiguration.class,
            PosthornCodecAutoConfiguration.class,
            PosthornAutoConfiguration.class,
            PosthornConsoleAutoConfiguration.class);

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(ALL)
                .withPropertyValues("spring.datasource.url=" + URL, "posthorn.console.enabled=true");
    }

    private static int codeAt(int port, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void itIsNotThereUnlessItIsSwitchedOn() {
        try (WebShop web = WebShop.start()) {
            assertThat(web.send(web.request("/posthorn/")).code()).isEqualTo(404);
            assertThat(web.shop().context().getBeanNamesForType(ConsoleHost.class))
                    .isEmpty();
        }
    }

    @Test
    void withoutConfiguredTokensOnlyTheLinkOfThisStartLeadsIn() throws Exception {
        try (WebShop web = WebShop.start("posthorn.console.enabled=true", "server.forward-headers-strategy=native")) {
            GeneratedToken generated =
                    web.shop().bean(ConsolePlan.class).generated().orElseThrow();
            String link = generated.link("");
            String token = link.substring(link.indexOf('=') + 1);
            URI place = URI.create("http://127.0.0.1:" + web.port() + "/posthorn");

            assertThat(web.send(web.request("/posthorn/v1/session")).word()).isEqualTo("no-token");
            assertThat(web.send(web.request("/posthorn/v1/session").header("X-Forwarded-For", "127.0.0.1"))
                            .word())
                    .isEqualTo("no-token");
            assertThat(web.send(web.request("/posthorn/v1/metrics")).code()).isEqualTo(401);
            assertThat(web.send(web.request("/posthorn/v1/health")).code()).isEqualTo(200);
            assertThat(web.send(web.request("/posthorn/v1/session").header("Authorization", "Bearer " + token))
                            .json()
                            .path("role")
                            .asText())
                    .isEqualTo("admin");
            assertThat(GeneratedToken.of(place)).contains(token);
        }
    }

    @Test
    void publicMetricsNeedNoToken() {
        try (WebShop web = WebShop.start("posthorn.console.enabled=true", "posthorn.console.public-metrics=true")) {
            assertThat(web.send(web.request("/posthorn/v1/metrics")).code()).isEqualTo(200);
            assertThat(web.send(web.request("/posthorn/v1/overview")).code()).isEqualTo(401);
        }
    }

    @Test
    void stoppingDoesNotWaitForAReaderOfTheStream() throws IOException {
        WebShop web =
                WebShop.withTokens("server.shutdown=graceful", "spring.lifecycle.timeout-per-shutdown-phase=120s");
        HttpResponse<InputStream> stream = web.open("/posthorn/v1/stream", Role.VIEWER);
        assertThat(stream.body().read()).isPositive();
        long begun = System.nanoTime();

        // When
        web.close();

        // Then
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(100));
        assertThat(stream.body().readAllBytes()).as("it has ended in order").isNotNull();
    }

    @Test
    void anApplicationWithoutAWebServerHasItAtAnAddressOfItsOwn() throws IOException, InterruptedException {
        try (Shop shop = Shop.start(
                List.of(), Shop.WITHOUT_JPA, "posthorn.console.enabled=true", "posthorn.console.address=127.0.0.1:0")) {
            ConsoleHost host = shop.bean(ConsoleHost.class);
            assertThat(codeAt(host.port().orElseThrow(), "/v1/overview")).isEqualTo(401);

            // When
            shop.context().stop();
            shop.context().start();

            // Then
            assertThat(codeAt(host.port().orElseThrow(), "/v1/overview")).isEqualTo(401);
            assertThat(codeAt(host.port().orElseThrow(), "/")).isEqualTo(200);
        }
    }

    @Test
    void anAddressOfItsOwnTakesItFromTheWebServer() throws IOException, InterruptedException {
        try (WebShop web = WebShop.start("posthorn.console.enabled=true", "posthorn.console.address=127.0.0.1:0")) {
            int own = web.shop().bean(ConsoleHost.class).port().orElseThrow();

            assertThat(codeAt(own, "/v1/overview")).isEqualTo(401);
            assertThat(codeAt(web.port(), "/posthorn/v1/overview")).isEqualTo(404);
        }
    }

    @Test
    void anApplicationWithoutAWebServerMustNameAnAddress() {
        application()
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertiesException.class)
                        .hasMessageContaining("posthorn.console.address=127.0.0.1:8025"));
    }

    @Test
    void everyFaultIsNamed() {
        application()
                .withPropertyValues(
                        "posthorn.console.path=/",
                        "posthorn.console.address=nowhere",
                        "posthorn.console.tokens.ann.role=boss",
                        "posthorn.console.tokens.ann.sha256=abc",
                        "posthorn.console.tokens.bob.role=viewer")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertiesException.class)
                        .hasMessageContaining("posthorn.console.path is \"/\"")
                        .hasMessageContaining("posthorn.console.address is \"nowhere\"")
                        .hasMessageContaining("posthorn.console.tokens.ann.role is \"boss\"")
                        .hasMessageContaining("posthorn.console.tokens.ann: The hash of token ann")
                        .hasMessageContaining("posthorn.console.tokens.bob: The hash of token bob"));
    }

    @Test
    void anAddressThatOthersCanReachNeedsTokens() {
        application()
                .withPropertyValues("posthorn.console.address=0.0.0.0:0")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("others than this host can reach it"));
    }

    @Test
    void withoutItsModuleItSaysWhichOneIsMissing() {
        application()
                .withClassLoader(new FilteredClassLoader(Console.class.getPackageName()))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("add dev.posthorn:posthorn-console to the dependencies"));
    }
}
