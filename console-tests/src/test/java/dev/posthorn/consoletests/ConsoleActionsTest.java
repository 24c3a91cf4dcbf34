package dev.posthorn.consoletests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every action, done in the browser and seen in the database. */
@Tag("slow")
@Timeout(180)
@ExtendWith(OnStage.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleActionsTest {

    private final Stage stage;

    ConsoleActionsTest(Stage stage) {
        this.stage = stage;
    }

    private static Page.GetByRoleOptions named(String name) {
        return new Page.GetByRoleOptions().setName(name);
    }

    /** Dead letters of a type of their own, one for each key. */
    private void die(String type, int many) {
        for (int i = 0; i < many; i++) {
            stage.emit(Event.of("lost", type).key(type + "-" + i).json("{}").build());
        }
        Await.until(() -> "dead: " + dead(type), () -> dead(type) == many);
    }

    private long dead(String type) {
        return stage.number(
                "SELECT count(*) FROM posthorn.detour AS d JOIN posthorn.outbox AS o USING (seq) WHERE d.kind = 'FAILED' AND o.type = '"
                        + type + "'");
    }

    private long actions(String reason) {
        return stage.number("SELECT count(*) FROM posthorn.operator_action WHERE reason = '" + reason + "'");
    }

    @Test
    void aRouteIsPausedAndResumedWithAReasonAndShowsHowAShellWouldDoIt() {
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("routes/audit");
            ann.button("Pause…").click();
            ann.page().locator("dialog summary").click();
            ann.page().getByLabel("Reason").fill("moving the disk");
            assertThat(ann.page().locator("dialog pre").nth(0))
                    .hasText("posthorn routes pause audit --reason 'moving the disk'");
            assertThat(ann.page().locator("dialog pre").nth(1)).containsText("/v1/routes/audit/pause");
            ann.decide("moving the disk", "Pause");
            assertThat(ann.page().locator(".card .badge").first()).hasText("Paused");

            ann.button("Resume…").click();
            ann.decide("the disk is moved", "Resume");

            assertThat(ann.page().locator(".card .badge").first()).hasText("Running");
            assertThat(stage.rows("SELECT who FROM posthorn.operator_action WHERE reason LIKE '%disk%'"))
                    .containsOnly("an-operator", "an-operator");
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void withoutAReasonNothingHappens() {
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("routes/audit");
            ann.button("Pause…").click();
            ann.decide("   ", "Pause");

            assertThat(ann.page().locator("dialog")).isVisible();
            assertThat(stage.rows("SELECT name FROM posthorn.route WHERE paused_at IS NOT NULL"))
                    .isEmpty();
        }
    }

    @Test
    void aTestPublishShowsEachHop() {
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("routes/audit");
            ann.button("Test publish…").click();
            ann.decide("is the way open?", "Send it");

            assertThat(ann.page().locator("dialog .badge").first()).hasText("It is through");
            assertThat(ann.page().locator("dialog .timeline li.ok")).not().hasCount(0);
        }
    }

    @Test
    void aConsumerIsPausedAndResumed() {
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("consumers/ledger");
            ann.button("Pause…").click();
            ann.decide("books are closed", "Pause");
            assertThat(ann.page().locator(".card .badge").first()).hasText("Paused");

            ann.button("Resume…").click();
            ann.decide("books are open", "Resume");

            assertThat(ann.page().locator(".card .badge").first()).hasText("Running");
            assertThat(actions("books are open")).isEqualTo(1);
        }
    }

    @Test
    void aHeldKeyGoesOnWhenItsFirstEventIsDiscarded() {
        die("key.discard", 1);
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("keys/key.discard-0");
            ann.button("Discard…").click();
            ann.decide("nobody wants it", "Discard");

            assertThat(ann.text("This key waits nowhere.")).isVisible();
            assertThat(dead("key.discard")).isZero();
            assertThat(actions("nobody wants it")).isEqualTo(1);
        }
    }

    @Test
    void oneDeadEventIsRedrivenFromItsOwnPage() {
        die("event.redrive", 1);
        String id = stage.rows("SELECT id FROM posthorn.outbox WHERE type = 'event.redrive'")
                .get(0);
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("events/" + id);
            ann.button("Redrive…").click();
            ann.decide("try once more", "Redrive");

            assertThat(ann.page().locator(".timeline")).containsText("try once more");
            assertThat(actions("try once more")).isEqualTo(1);
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void manyAreDiscardedThroughTheWizardWithADryRunFirst() {
        die("wizard.discard", 7);
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("decide/discard?type=wizard.discard");
            ann.button("Dry run").click();
            assertThat(ann.page().locator(".big-number")).hasText("7");
            assertThat(dead("wizard.discard")).as("the dry run changed nothing").isEqualTo(7);
            ann.button("Go on").click();
            ann.page().getByLabel("Reason").fill("test data");
            assertThat(ann.page().locator("main pre").nth(0))
                    .hasText("posthorn dead discard --all --type wizard.discard --reason 'test data'");
            ann.button("Discard 7 letters").click();

            assertThat(ann.page().locator("main .badge")).hasText("done");
            assertThat(ann.page().locator("main .row b").first()).hasText("7");
            assertThat(dead("wizard.discard")).isZero();
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void aSlowRedriveShowsItsProgressAndIsStopped() {
        die("wizard.redrive", 30);
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("decide/redrive?type=wizard.redrive");
            ann.button("Dry run").click();
            ann.button("Go on").click();
            ann.page().getByLabel("Reason").fill("slowly");
            ann.page().getByLabel("At most, a second").fill("1");
            ann.button("Redrive 30 letters").click();
            assertThat(ann.page().locator("main progress")).isVisible();
            ann.button("Stop…").click();
            ann.decide("enough", "Stop");

            assertThat(ann.page().locator("main .badge").first()).hasText("stopped");
            Locator done = ann.page().locator("main .row b").first();
            assertThat(Integer.parseInt(done.innerText())).isLessThan(30);
            ann.goTo("jobs");
            assertThat(ann.page().locator("tbody tr").first()).containsText("slowly");
        }
    }

    @Test
    void aReplayIsTriedOutStartedAndWatchedToItsEnd() {
        for (int i = 0; i < 5; i++) {
            stage.emit(
                    Event.of("audit", "to.replay").key("replay-" + i).json("{}").build());
        }
        Await.until(
                "published",
                () -> stage.number(
                                "SELECT count(*) FROM posthorn.outbox_status WHERE route = 'audit' AND type = 'to.replay' AND state = 'SENT'")
                        == 5);
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("replays/new?route=audit");
            ann.page()
                    .getByLabel("Types", new Page.GetByLabelOptions().setExact(false))
                    .first()
                    .fill("to.replay");
            ann.button("Dry run").click();
            assertThat(ann.page().locator(".big-number")).hasText("5");
            ann.button("Go on").click();
            ann.page().getByLabel("Reason").fill("the file was lost");
            ann.button("Replay 5 events").click();

            assertThat(ann.page()).hasURL(Pattern.compile("#/replays/[0-9a-f-]{36}$"));
            assertThat(ann.page().locator("main .badge")).hasText("DONE");
            assertThat(ann.text("type to.replay")).isVisible();
            assertThat(ann.errors()).isEmpty();
        }
    }

    @Test
    void whatWasDoneIsInTheAudit() {
        die("audited", 1);
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("dead?type=audited&view=letters");
            ann.page().locator("tbody tr").first().click();
            ann.button("Discard…").click();
            ann.decide("for the audit", "Discard");
            Await.until("discarded", () -> dead("audited") == 0);

            ann.goTo("audit?who=an-operator");

            assertThat(ann.page().locator("tbody tr", new Page.LocatorOptions().setHasText("for the audit")))
                    .hasCount(1);
        }
    }

    @Test
    void whoGotNoAnswerTriesAgainAndItHappensOnce() {
        try (Visitor ann = Visitor.as("operator", stage)) {
            ann.goTo("routes/audit");
            ann.page().route("**/v1/routes/audit/pause", route -> {
                route.fetch(); // the server does it, and its answer is lost
                route.abort();
            });
            ann.button("Pause…").click();
            ann.decide("lost answer", "Pause");
            assertThat(ann.page().locator("dialog .fault")).containsText("Trying again from here is safe");
            ann.page().unroute("**/v1/routes/audit/pause");

            ann.page()
                    .locator("dialog")
                    .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Try again"))
                    .click();

            assertThat(ann.page().locator("dialog")).hasCount(0);
            assertThat(actions("lost answer")).isEqualTo(1);
            assertThat(ann.page().getByRole(AriaRole.BUTTON, named("Resume…"))).isVisible();
        } finally {
            stage.run("SELECT posthorn.resume_route('audit', 'end of the test')");
        }
    }
}
