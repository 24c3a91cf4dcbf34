package dev.posthorn.consoletests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every screen, looked at. */
@Tag("slow")
@Timeout(180)
@ExtendWith(OnStage.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleScreensTest {

    private static final List<String> SCREENS = List.of(
            "",
            "events",
            "keys",
            "dead",
            "dead?view=letters",
            "decide/redrive",
            "replays",
            "replays/new",
            "jobs",
            "routes",
            "relays",
            "consumers",
            "audit",
            "registry",
            "doctor");

    private final Stage stage;
    private final Event placed;
    private final Event lost;
    private final Event refused;

    ConsoleScreensTest(Stage stage) {
        this.stage = stage;
        this.placed = Event.of("shop", "order.placed")
                .key("screens-1")
                .tenant("acme")
                .correlationId("checkout-1")
                .header("source", "till-7")
                .json("{\"total\":4200,\"lines\":[{\"sku\":\"A-100\"}]}")
                .build();
        this.lost = Event.of("lost", "order.placed").key("screens-2").json("{}").build();
        this.refused =
                Event.of("shop", "order.refused").key("screens-3").json("{}").build();
    }

    @BeforeAll
    void emit() {
        stage.emit(placed);
        stage.emit(lost);
        stage.emit(Event.of("lost", "order.paid").key("screens-2").json("{}").build());
        stage.emit(refused);
        Await.until(
                "handled",
                () -> stage.number("SELECT count(*) FROM posthorn.inbox WHERE event_id = '" + placed.id() + "'") == 1);
        Await.until(
                "dead on the route",
                () -> stage.number("SELECT count(*) FROM posthorn.detour WHERE kind = 'FAILED' AND event_id = '"
                                + lost.id() + "'")
                        == 1);
        Await.until(
                "dead in the consumer",
                () -> stage.number("SELECT count(*) FROM posthorn.dead_letter WHERE event_id = '" + refused.id() + "'")
                        == 1);
    }

    @Test
    void theOverviewSaysWhatIsWrongWhyAndWhatToDo() {
        try (Visitor ann = Visitor.as("viewer", stage)) {
            ann.goTo("");

            assertThat(ann.page().locator(".verdict h1")).containsText(Pattern.compile("wrong"));
            assertThat(ann.text("on route main")).isVisible();
            assertThat(ann.page().locator(".trouble .copyable").first()).containsText("posthorn dead list");
            assertThat(ann.page().locator(".live")).hasText("Live");
            assertThat(ann.page().locator("figure.chart")).hasCount(4);
            assertThat(ann.page().locator("figure.chart .line").first()).isAttached();
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void anEventIsFoundAndTellsItsStory() {
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("events");
            ann.page().getByLabel("Correlation").fill("checkout-1");
            ann.button("Search").click();
            assertThat(ann.page().locator("tbody tr")).hasCount(1);

            ann.page().locator("tbody tr").first().click();

            assertThat(ann.page().locator("h1")).hasText("order.placed");
            for (String happening : List.of("emitted", "published", "handled")) {
                assertThat(ann.page().locator(".timeline")).containsText(happening);
            }
            assertThat(ann.page().locator(".payload")).containsText("\"sku\": \"A-100\"");
            assertThat(ann.text("till-7")).isVisible();
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void aKeyTellsWhatBlocksItAndWhatWaits() {
        try (Visitor ann = Visitor.as("viewer", stage)) {
            ann.goTo("");
            ann.page().keyboard().press("/");
            ann.page().keyboard().type("screens-2");
            ann.page().keyboard().press("Enter");

            assertThat(ann.page().locator("h1")).hasText("screens-2");
            assertThat(ann.text("Held")).isVisible();
            assertThat(ann.page().locator(".queue")).containsText("1 event waits behind it");
            assertThat(ann.text("redrive the first event, or discard it")).isVisible();
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void theRegistryListsWhatTheProcessChecks() {
        try (Visitor ann = Visitor.as("viewer", stage)) {
            ann.goTo("registry");

            assertThat(ann.page().locator("tbody tr")).hasCount(2);
            assertThat(ann.page().locator("tbody tr").first()).containsText("order.placed");
            assertThat(ann.page().locator("tbody tr").last()).containsText("fixed (25 attempts)");
            assertThat(ann.page().locator(".title .badge")).hasText("off");
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void deadLettersAreGroupedByTheirReason() {
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("dead?consumer=ledger");
            assertThat(ann.page().locator(".group")).hasCount(1);
            assertThat(ann.page().locator(".fingerprint")).containsText("is closed");

            ann.link("An example").click();

            assertThat(ann.text("Died on consumer ledger / refund")).isVisible();
            assertThat(ann.page().locator(".hint-box"))
                    .containsText("Decide whether the event or the handler is wrong");
            assertThat(ann.button("Reprocess…")).isVisible();
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void routesRelaysAndConsumersTellHowTheyStand() {
        try (Visitor ann = Visitor.as("viewer", stage)) {
            ann.goTo("routes");
            assertThat(ann.page().locator(".cards .card")).hasCount(2);
            assertThat(ann.text("domains lost, shop")).isVisible();

            ann.goTo("relays");
            assertThat(ann.text("At work")).isVisible();
            assertThat(ann.page().locator(".lanes li")).hasCount(32);

            ann.goTo("consumers");
            assertThat(ann.page().locator(".card h2")).hasText("ledger");
            assertThat(ann.page().locator("tbody tr")).hasCount(1);
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void everyScreenIsReachedByItsKeys() {
        try (Visitor ann = Visitor.as("viewer", stage)) {
            ann.goTo("");
            for (String letters : List.of(
                    "e Events",
                    "k Keys",
                    "d Dead letters",
                    "p Replays",
                    "j Jobs",
                    "r Routes",
                    "l Relays and lanes",
                    "c Consumers",
                    "a Audit",
                    "y Registry",
                    "h Doctor")) {
                ann.page().keyboard().press("g");
                ann.page().keyboard().press(letters.substring(0, 1));
                assertThat(ann.page().locator("main h1")).hasText(letters.substring(2));
            }
            ann.page().keyboard().press("?");
            assertThat(ann.page().locator("dialog")).containsText("Keyboard shortcuts");
            ann.page().keyboard().press("Escape");
            assertThat(ann.page().locator("dialog")).hasCount(0);
        }
    }

    @Test
    void rowsAreChosenAndOpenedFromTheKeyboard() {
        try (Visitor ann = Visitor.as("viewer", stage)) {
            ann.goTo("events");
            ann.page().keyboard().press("j");
            ann.page().keyboard().press("j");
            ann.page().keyboard().press("k");
            assertThat(ann.page().locator("tr[data-chosen]")).hasCount(1);

            ann.page().keyboard().press("Enter");

            assertThat(ann.page()).hasURL(Pattern.compile("#/events/[0-9a-f-]{36}$"));
        }
    }

    @Test
    void noScreenHasASeriousBarrierInEitherTheme() {
        List<String> found = new ArrayList<>();
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            try (Visitor ann = Visitor.as("admin", stage, 1280, scheme)) {
                for (String screen : all()) {
                    ann.goTo(screen).barriers().forEach(one -> found.add(scheme + " " + screen + " " + one));
                }
                assertThat(ann.errors()).isEmpty();
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void everyScreenIsReadableAt375Pixels() {
        try (Visitor ann = Visitor.as("admin", stage, 375, ColorScheme.DARK)) {
            List<String> tooWide = new ArrayList<>();
            List<String> barriers = new ArrayList<>();
            for (String screen : all()) {
                ann.goTo(screen);
                if (ann.isTooWide()) {
                    tooWide.add(screen);
                }
                barriers.addAll(ann.barriers());
            }
            ann.button("Menu").click();
            ann.page().locator(".side").getByText("Audit").click();

            assertThat(ann.page().locator("h1")).hasText("Audit");
            assertThat(ann.page().locator(".side")).not().isVisible();
            assertThat(tooWide).isEmpty();
            assertThat(barriers).isEmpty();
        }
    }

    private List<String> all() {
        List<String> all = new ArrayList<>(SCREENS);
        all.addAll(List.of("events/" + placed.id(), "keys/screens-2", "dead/" + lost.id()));
        return all;
    }

    @Test
    void whatIsShownStaysWhereItIsWhileItIsLoadedAgain() {
        try (Visitor ann = Visitor.as("viewer", stage)) {
            ann.goTo("routes");
            Page page = ann.page();
            page.locator("summary").click();
            page.evaluate("() => { document.querySelector('.cards .card').marked = true; }");
            page.waitForResponse(answer -> answer.url().endsWith("/v1/routes"), () -> {});
            page.waitForResponse(answer -> answer.url().endsWith("/v1/routes"), () -> {});

            assertThat(page.evaluate("() => document.querySelector('.cards .card').marked"))
                    .isEqualTo(true);
            assertThat(page.locator("details")).hasAttribute("open", "");
        }
    }

    @Test
    void theThemeIsChosenAndKept() {
        try (Visitor ann = Visitor.as("viewer", stage)) {
            ann.goTo("");
            ann.button("Light or dark").click();
            ann.page().reload();

            assertThat(ann.page().locator("html")).hasAttribute("data-theme", "dark");
            assertThat(ann.errors()).isEmpty();
        }
    }
}
