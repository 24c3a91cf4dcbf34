package dev.posthorn.consoletests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may do what, what a hostile page or payload can do, and what happens when the process goes away. */
@Tag("slow")
@Timeout(180)
@ExtendWith(OnStage.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleSafetyTest {

    private final Stage stage;

    ConsoleSafetyTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void withoutATokenThereIsOnlyTheQuestionForOne() {
        try (Visitor stranger = Visitor.anonymous(stage, stage.address())) {
            stranger.page().navigate(stage.address() + "/#/events");
            assertThat(stranger.page().locator("h1")).hasText("Sign in");
            stranger.page().getByLabel("Token").fill("wrong-token");
            stranger.button("Sign in").click();
            assertThat(stranger.page().locator(".fault")).isVisible();

            stranger.page().getByLabel("Token").fill("viewer" + Stage.TOKEN);
            stranger.button("Sign in").click();

            assertThat(stranger.page().locator("h1")).hasText("Events");
            assertThat(stranger.page().locator(".who")).containsText("a-viewer · viewer");
            assertThat(stranger.barriers()).isEmpty();
        }
    }

    @Test
    void aViewerSeesNeitherPayloadsNorActions() {
        Event event = stage.emit(Event.of("lost", "secret.kept")
                .key("safety-1")
                .header("source", "vault")
                .json("{\"secret\":\"swordfish\"}")
                .build());
        awaitDead(event);
        try (Visitor viewer = Visitor.as("viewer", stage)) {
            viewer.goTo("events/" + event.id());
            assertThat(viewer.text("Payloads are shown to operators")).isVisible();
            assertThat(viewer.button("Redrive…")).hasCount(0);

            viewer.goTo("dead/" + event.id());
            assertThat(viewer.text("Bodies are shown to operators")).isVisible();
            assertThat(viewer.page().content()).doesNotContain("swordfish").doesNotContain("vault");
            viewer.goTo("routes");
            assertThat(viewer.button("Pause…")).hasCount(0);
            assertThat(viewer.errors()).isEmpty();
        }
    }

    @Test
    void onlyAnAdministratorMayRetireARoute() {
        try (Visitor operator = Visitor.as("operator", stage);
                Visitor admin = Visitor.as("admin", stage)) {
            assertThat(operator.goTo("routes/main").button("Retire…")).hasCount(0);
            assertThat(admin.goTo("routes/main").button("Retire…")).hasCount(1);
        }
    }

    @Test
    void aScriptInAPayloadAKeyAndAReasonIsShownAndNeverRun() {
        String script = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
        Event event = stage.emit(Event.of("lost", "hostile")
                .key("<b>key</b>" + script)
                .header("note", script)
                .json("{\"note\":\"" + script.replace("\"", "\\\"") + "\"}")
                .build());
        awaitDead(event);
        try (Visitor operator = Visitor.as("operator", stage)) {
            for (String screen : new String[] {
                "events?type=hostile",
                "events/" + event.id(),
                "keys",
                "dead?type=hostile&view=letters",
                "dead/" + event.id()
            }) {
                operator.goTo(screen);
                assertThat(operator.text("<b>key</b>")).isVisible();
                assertThat(operator.page().locator("main img, main script")).hasCount(0);
            }
            assertThat(operator.page().locator(".payload")).containsText("onerror=");
            assertThat(operator.page().title()).doesNotContain("owned");
            assertThat(operator.errors()).isEmpty();
        }
    }

    @Test
    void thePageRunsUnderAStrictPolicyAndHasNothingFromElsewhere() {
        try (Visitor admin = Visitor.as("admin", stage)) {
            java.util.List<String> foreign = new java.util.concurrent.CopyOnWriteArrayList<>();
            admin.page().onRequest(request -> {
                if (!request.url().startsWith(stage.address())) {
                    foreign.add(request.url());
                }
            });
            Map<String, String> headers =
                    admin.page().navigate(stage.address() + "/").headers();
            admin.goTo("").goTo("events");

            assertThat(headers.get("content-security-policy"))
                    .contains("default-src 'self'")
                    .doesNotContain("unsafe");
            assertThat(headers)
                    .containsEntry("x-content-type-options", "nosniff")
                    .containsEntry("x-frame-options", "DENY");
            assertThat(foreign).isEmpty();
        }
    }

    /** On a process without tokens, where whoever is on this host may do everything. */
    @Test
    void aPageOfAnotherSiteCanChangeNothing() throws IOException {
        HttpServer elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/", exchange -> {
            byte[] page = "<!doctype html><title>elsewhere</title>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        elsewhere.start();
        try (RelayUnderTest open = stage.startRelay("127.0.0.1:0", "");
                Visitor victim = Visitor.anonymous(stage, open.address())) {
            victim.page().navigate(open.link());
            assertThat(victim.page().locator(".figures")).isVisible();
            assertThat(victim.goTo("routes/audit").button("Retire…")).hasCount(1);
            Page hostile = victim.page().context().newPage();
            hostile.navigate("http://localhost:" + elsewhere.getAddress().getPort() + "/");

            for (String type : new String[] {"text/plain", "application/json"}) {
                hostile.evaluate("""
                        async ([url, type]) => { for (const mode of ['no-cors', 'cors']) {
                            await fetch(url, {method: 'POST', mode, headers: {'Content-Type': type}, body: '{"reason":"csrf"}'}).catch(() => {}); } }""", new Object[] {open.address() + "/v1/routes/audit/pause", type});
            }

            assertThat(stage.rows("SELECT name FROM posthorn.route WHERE paused_at IS NOT NULL"))
                    .isEmpty();
            assertThat(stage.number("SELECT count(*) FROM posthorn.operator_action WHERE reason = 'csrf'"))
                    .isZero();
        } finally {
            elsewhere.stop(0);
        }
    }

    @Test
    void whenTheProcessGoesAwayThePageSaysSoAndComesBackWithIt() {
        try (Visitor ann = Visitor.anonymous(stage, "")) {
            String address;
            try (RelayUnderTest first = stage.startRelay("127.0.0.1:0", Stage.tokens())) {
                address = first.address();
                ann.page().navigate(address + "/#token=admin" + Stage.TOKEN);
                assertThat(ann.page().locator(".figures")).isVisible();
                assertThat(ann.page().locator(".live")).hasText("Live");
            }
            assertThat(ann.page().locator(".live"))
                    .hasText(Pattern.compile("Connection lost at \\d\\d:\\d\\d:\\d\\d, trying again"));
            assertThat(ann.page().locator(".figures")).isVisible();

            try (RelayUnderTest second = stage.startRelay(URI.create(address).getAuthority(), Stage.tokens())) {
                assertThat(ann.page().locator(".live")).hasText("Live");
                assertThat(second.address()).isEqualTo(address);
            }
        }
    }

    @Test
    void theLinkOfAStartLeadsInAndLeavesTheAddressBar() {
        try (RelayUnderTest open = stage.startRelay("127.0.0.1:0", "")) {
            for (int width : new int[] {1440, 375}) {
                try (Visitor stranger = Visitor.anonymous(stage, open.address(), width)) {
                    stranger.page().navigate(open.address() + "/");
                    assertThat(stranger.page().locator("h1")).hasText("Sign in");
                    assertThat(stranger.isTooWide()).isFalse();

                    stranger.page().navigate(open.link());

                    assertThat(stranger.page().locator(".figures")).isVisible();
                    assertThat(stranger.page().locator(".who")).containsText("generated · admin");
                    assertThat(stranger.page().url()).isEqualTo(open.address() + "/#/");
                    assertThat(stranger.isTooWide()).isFalse();
                    stranger.page().reload();
                    assertThat(stranger.page().locator(".figures")).isVisible();
                    stranger.page().goBack();
                    assertThat(stranger.page().url()).doesNotContain("token");
                    assertThat(stranger.errors()).isEmpty();
                }
            }
        }
    }

    private void awaitDead(Event event) {
        Await.until(
                "dead",
                () -> stage.number("SELECT count(*) FROM posthorn.detour WHERE kind = 'FAILED' AND event_id = '"
                                + event.id() + "'")
                        == 1);
    }
}
