package dev.posthorn.consoletests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Somebody with a browser window of their own, signed in or not. Notes every error that the page has. */
final class Visitor implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;

    private final BrowserContext context;
    private final Page page;
    private final String address;
    private final List<String> errors = new CopyOnWriteArrayList<>();

    private Visitor(BrowserContext context, String address) {
        this.context = context;
        this.address = address;
        context.setDefaultTimeout(PATIENCE_MILLIS);
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        this.page = context.newPage();
        page.onPageError(errors::add);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") && !message.text().contains("Failed to load resource")) {
                errors.add(message.text());
            }
        });
    }

    /** With the token of this role. */
    static Visitor as(String role, Stage stage) {
        return as(role, stage, 1280, ColorScheme.LIGHT);
    }

    static Visitor as(String role, Stage stage, int width, ColorScheme scheme) {
        BrowserContext context = context(stage, width, scheme);
        context.addInitScript("if (!sessionStorage.getItem('left')) sessionStorage.setItem('posthorn.token', '" + role
                + Stage.TOKEN + "')");
        return new Visitor(context, stage.address());
    }

    /** Without a token. */
    static Visitor anonymous(Stage stage, String address) {
        return anonymous(stage, address, 1280);
    }

    static Visitor anonymous(Stage stage, String address, int width) {
        return new Visitor(context(stage, width, ColorScheme.LIGHT), address);
    }

    private static BrowserContext context(Stage stage, int width, ColorScheme scheme) {
        return stage.browser()
                .newContext(new Browser.NewContextOptions()
                        .setViewportSize(width, width < 500 ? 812 : 860)
                        .setColorScheme(scheme));
    }

    Page page() {
        return page;
    }

    /** Goes to a screen, such as {@code events?domain=shop}, and waits for it: until it is loaded, the last one stands there. */
    Visitor goTo(String screen) {
        page.navigate(address + "/#/" + screen);
        assertThat(page.locator("main[data-address='#/" + screen + "'] h1").first())
                .isVisible();
        return this;
    }

    Locator text(String text) {
        return page.locator("main").getByText(text).first();
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator link(String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Fills in why, and confirms with the button of this name inside the dialog. */
    void decide(String reason, String button) {
        Locator dialog = page.locator("dialog");
        dialog.getByLabel("Reason").fill(reason);
        dialog.getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    /** What axe finds that is serious or critical, one line each. */
    List<String> barriers() {
        page.evaluate(axe());
        Object found = page.evaluate("""
                async () => (await axe.run()).violations
                    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
                    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(' ')}`)""");
        return ((List<?>) Objects.requireNonNull(found))
                .stream().map(String::valueOf).toList();
    }

    private static String axe() {
        try (InputStream in = Visitor.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Whether one has to scroll sideways. */
    boolean isTooWide() {
        return (Boolean) page.evaluate("() => document.documentElement.scrollWidth > innerWidth");
    }

    List<String> errors() {
        return errors;
    }

    @Override
    public void close() {
        context.close();
    }
}
