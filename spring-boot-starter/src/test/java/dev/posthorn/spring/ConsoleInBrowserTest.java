package dev.posthorn.spring;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.posthorn.console.Role;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The console below a path of the application's own web server, as a browser sees it. */
@Tag("slow")
@Timeout(180)
class ConsoleInBrowserTest {

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final int PATIENCE_MILLIS = 30_000;
    private static final String BELOW = "/shop/admin/posthorn/";
    private static final List<String> SCREENS = List.of(
            "",
            "events",
            "keys",
            "dead",
            "replays",
            "jobs",
            "routes",
            "relays",
            "consumers",
            "audit",
            "registry",
            "doctor");

    private static WebShop web;
    private static Playwright playwright;
    private static Browser browser;

    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        requireChromium();
        web = WebShop.withTokens(
                "server.servlet.context-path=/shop",
                "posthorn.console.path=/admin/posthorn",
                "posthorn.transports.main.address=memory",
                "posthorn.routes.main.transport=main");
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(CHROMIUM)
                        .setChromiumSandbox(false)
                        .setArgs(List.of("--disable-gpu", "--disable-background-networking")));
    }

    private static void requireChromium() {
        if (Files.isExecutable(CHROMIUM)) {
            return;
        }
        String why = "Chromium is not installed: there is no " + CHROMIUM;
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError("CI must run this test, but " + why);
        }
        System.out.println("skipped: " + why);
        Assumptions.abort(why);
    }

    @AfterAll
    static void stop() {
        if (web != null) {
            browser.close();
            playwright.close();
            web.close();
        }
    }

    private Page visit(Role role) {
        BrowserContext context = browser.newContext(new Browser.NewContextOptions().setViewportSize(1280, 860));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        context.addInitScript("sessionStorage.setItem('posthorn.token', '" + WebShop.token(role) + "')");
        Page page = context.newPage();
        page.onPageError(errors::add);
        page.onConsoleMessage(message -> {
            // an application without a registry says so with 404
            if (message.type().equals("error") && !message.location().contains("/v1/registry")) {
                errors.add(message.text() + " " + message.location());
            }
        });
        page.onRequest(request -> paths.add(URI.create(request.url()).getPath()));
        return page;
    }

    private static void open(Page page, String screen) {
        page.navigate("http://127.0.0.1:" + web.port() + BELOW + "#/" + screen);
        assertThat(page.locator("main[data-address='#/" + screen + "'] h1").first())
                .isVisible();
    }

    @Test
    void everyScreenIsThereAndAsksForNothingElsewhere() {
        Page page = visit(Role.ADMIN);

        for (String screen : SCREENS) {
            open(page, screen);
        }
        page.reload();

        assertThat(page.locator("main[data-address='#/doctor'] h1").first()).isVisible();
        assertThat(page.locator(".live")).hasText("Live");
        assertThat(paths).isNotEmpty().allMatch(path -> path.startsWith(BELOW));
        assertThat(errors).isEmpty();
        page.context().close();
    }

    @Test
    void whatTheApplicationEmittedIsFoundAndARouteIsPaused() {
        web.shop().place("o-1");
        Page page = visit(Role.OPERATOR);

        open(page, "events");
        page.locator("tbody tr").first().click();
        assertThat(page.locator("h1")).hasText("order.placed");

        open(page, "routes");
        button(page.locator("main"), "Pause…").first().click();
        Locator dialog = page.locator("dialog");
        dialog.getByLabel("Reason").fill("the broker moves");
        button(dialog, "Pause").click();

        assertThat(page.locator(".card .badge").first()).hasText("Paused");
        assertThat(errors).isEmpty();
        page.context().close();
    }

    @Test
    void whatAShellWouldDoNamesThePathToo() {
        Page page = visit(Role.VIEWER);

        open(page, "registry");

        for (String command : List.of("--url http://127.0.0.1:", "curl ")) {
            assertThat(page.locator("main pre")
                            .filter(new Locator.FilterOptions().setHasText(command))
                            .first())
                    .containsText(":" + web.port() + "/shop/admin/posthorn");
        }
        page.context().close();
    }

    private static Locator button(Locator within, String name) {
        return within.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }
}
