package dev.posthorn.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** All places where people and programs look at a system, each as text, compared with what its database knows. */
final class Surfaces implements AutoCloseable {

    /** One of them. */
    enum Surface {
        /** {@code posthorn status}, with what it says when it fails. */
        CLI,
        /** The overview, as the observer answers it. */
        HTTP,
        /** The replays, as the observer answers them. */
        REPLAYS,
        /** A scrape of the relay and of the observer. */
        METRICS,
        /** Health of the relay process. */
        HEALTH,
        /** Health of the observer, whose own routes are well. */
        OBSERVER_HEALTH,
        /** The readiness probe of the observer. */
        OBSERVER_READY,
        /** {@code posthorn doctor}. */
        DOCTOR,
        /** The overview in a browser, with the mark in its head. */
        CONSOLE
    }

    /** What is known of a route. */
    record Figures(String route, long waiting, long dead, long scheduled) {}

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ObservedSystem system;
    private final BrowserContext context;
    private final Page page;
    private final List<String> errors = new CopyOnWriteArrayList<>();

    Surfaces(ObservedSystem system) {
        this.system = system;
        context = system.browser().newContext(new Browser.NewContextOptions().setViewportSize(1440, 900));
        context.addInitScript("sessionStorage.setItem('posthorn.token', '" + system.token() + "')");
        page = context.newPage();
        page.onPageError(errors::add);
        page.navigate(system.observer().address() + "/");
    }

    void assertNoErrors() {
        assertThat(errors).isEmpty();
    }

    @Override
    public void close() {
        context.close();
    }

    /** What is not said although it should be, or said and not so. Empty if all is true. */
    List<String> untrue(Map<Surface, List<String>> says) {
        List<String> untrue = new ArrayList<>();
        Map<Surface, String> read = new EnumMap<>(Surface.class);
        says.forEach((surface, words) -> {
            String text = read.computeIfAbsent(surface, this::read);
            words.stream()
                    .filter(word -> !text.contains(word))
                    .forEach(word -> untrue.add(surface + " does not say \"" + word + "\" but: " + text));
        });
        if (untrue.isEmpty()) {
            compare(untrue);
        }
        return untrue;
    }

    private String read(Surface surface) {
        return switch (surface) {
            case CLI -> system.command("status");
            case DOCTOR -> system.command("doctor");
            case HTTP -> system.get(system.observer(), "/v1/overview");
            case REPLAYS -> system.get(system.observer(), "/v1/replays");
            case METRICS ->
                system.get(system.observer(), "/v1/metrics")
                        + system.relay()
                                .map(relay -> system.get(relay, "/v1/metrics"))
                                .orElse("");
            case HEALTH ->
                system.relay().map(relay -> system.get(relay, "/v1/health")).orElse("no relay");
            case OBSERVER_HEALTH -> system.get(system.observer(), "/v1/health");
            case OBSERVER_READY -> system.get(system.observer(), "/v1/health/ready");
            case CONSOLE ->
                page.locator("main").innerText() + page.locator(".live").innerText();
        };
    }

    /** Every figure of every route, everywhere. While the database does not answer, what was known before. */
    private void compare(List<String> untrue) {
        List<Figures> ledger = system.ledger();
        JsonNode overview = json(system.get(system.observer(), "/v1/overview"));
        long waiting = ledger.stream().mapToLong(Figures::waiting).sum();
        same(untrue, "overview", waiting, overview.path("totals").path("waiting"));
        String tile = page.locator(".figures [data-key='Waiting'] .value").innerText();
        if (!tile.equals(Long.toString(waiting))) {
            untrue.add("the console shows " + tile + " waiting, not " + waiting);
        }
        ledger.forEach(route -> compare(untrue, "overview", route, find(overview.path("routes"), route.route())));
        String metrics = system.get(system.observer(), "/v1/metrics");
        if (!system.answers()) {
            metrics.lines()
                    .filter(line -> line.startsWith("event_outbox_backlog{") && !line.endsWith(" NaN"))
                    .forEach(line -> untrue.add("a scrape shows what is not known: " + line));
            return;
        }
        JsonNode status = json(system.command("status", "--json"));
        JsonNode lanes = json(system.get(system.observer(), "/v1/lanes")).path("lanes");
        for (Figures route : ledger) {
            compare(untrue, "status", route, find(status.path("routes"), route.route()));
            long inLanes = 0;
            for (JsonNode lane : lanes) {
                inLanes += lane.path("route").asText().equals(route.route())
                        ? lane.path("waiting").asLong()
                        : 0;
            }
            if (inLanes != route.waiting()) {
                untrue.add("lanes of " + route.route() + " show " + inLanes + " waiting, not " + route.waiting());
            }
            metric(untrue, metrics, "event_outbox_backlog{route=\"" + route.route() + "\"}", route.waiting());
            metric(untrue, metrics, "posthorn_scheduled_events{route=\"" + route.route() + "\"}", route.scheduled());
            metric(
                    untrue,
                    metrics,
                    "dead_letter_count{name=\"" + route.route() + "\",station=\"route\"}",
                    route.dead());
        }
    }

    private static void compare(List<String> untrue, String where, Figures known, JsonNode shown) {
        same(untrue, where + " of " + known.route() + ", waiting", known.waiting(), shown.path("waiting"));
        same(untrue, where + " of " + known.route() + ", dead", known.dead(), shown.path("dead"));
        same(untrue, where + " of " + known.route() + ", scheduled", known.scheduled(), shown.path("scheduled"));
    }

    private static void same(List<String> untrue, String what, long known, JsonNode shown) {
        if (!shown.isNumber() || shown.asLong() != known) {
            untrue.add(what + " is " + shown + ", not " + known);
        }
    }

    private static void metric(List<String> untrue, String metrics, String name, long known) {
        if (metrics.lines().noneMatch(line -> line.equals(name + " " + (double) known))) {
            untrue.add(name + " is not " + known + " but: "
                    + metrics.lines().filter(line -> line.startsWith(name)).toList());
        }
    }

    private static JsonNode find(JsonNode routes, String name) {
        for (JsonNode route : routes) {
            if (route.path("route").asText().equals(name)) {
                return route;
            }
        }
        return MAPPER.missingNode();
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException invalid) {
            throw new UncheckedIOException(text, invalid);
        }
    }
}
