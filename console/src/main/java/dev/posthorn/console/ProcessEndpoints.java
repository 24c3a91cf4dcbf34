package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.operations.Health;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What the process tells of itself. Waits for no database: all of it comes from memory. */
final class ProcessEndpoints {

    private static final String EXPOSITION = "text/plain; version=0.0.4; charset=utf-8";

    private final ConsoleSetup setup;
    private final Supplier<List<Endpoint>> all;

    ProcessEndpoints(ConsoleSetup setup, Supplier<List<Endpoint>> all) {
        this.setup = setup;
        this.all = all;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.get(
                        "/v1/health",
                        null,
                        Manual.of("How the process is: in a word, and as a whole for who brings a token.", "Health"),
                        this::health),
                Endpoint.get(
                        "/v1/health/live",
                        null,
                        Manual.of("Whether only a restart would help: 503 if so.", "Health"),
                        call -> word(Health.Report::live)),
                Endpoint.get(
                        "/v1/health/ready",
                        null,
                        Manual.of("Whether it can do its work: 503 if not.", "Health"),
                        call -> word(Health.Report::ready)),
                Endpoint.get(
                        "/v1/metrics",
                        Right.MEASURE,
                        Manual.of("Metrics, as Prometheus reads them.", "text"),
                        call -> Answer.text(200, EXPOSITION, setup.metrics().get())),
                Endpoint.get(
                        "/v1/openapi.json",
                        Right.READ,
                        Manual.of("This document.", "object"),
                        call -> Answer.json(OpenApi.of(all.get(), setup.facts().version()))),
                Endpoint.get(
                        "/v1/session",
                        Right.READ,
                        Manual.of("Who one is, and what one may do.", "Session"),
                        this::session),
                Endpoint.get(
                        "/v1/config",
                        Right.ADMIN,
                        Manual.of("Every setting and where it came from; secrets are masked.", "Config"),
                        call -> Answer.json(setup.facts().config().get())),
                Endpoint.get(
                        "/v1/registry",
                        Right.READ,
                        Manual.of(
                                "The event types that this process checks events against, and how strictly.",
                                "Registry"),
                        call -> registry()));
    }

    private Answer health(Call call) {
        Health.Report report = setup.health().get();
        return call.may(Right.MEASURE)
                ? Answer.json(report.ready() ? 200 : 503, HealthFormat.json(report))
                : word(Health.Report::ready);
    }

    private Answer word(Predicate<Health.Report> good) {
        Health.Report report = setup.health().get();
        return Answer.json(good.test(report) ? 200 : 503, Json.object().put("status", report.word()));
    }

    private Answer registry() {
        return Answer.json(
                setup.facts()
                        .registry()
                        .orElseThrow(
                                () -> Refusal.missing(
                                        "This process has no registry: it publishes every event. Set registry.file to have them checked.")));
    }

    private Answer session(Call call) {
        Caller caller = call.who();
        ObjectNode json = Json.object()
                .put("name", caller.name())
                .put("role", caller.role().word());
        json.set("can", Json.strings(caller.role().rights()));
        return Answer.json(json.put("version", setup.facts().version()));
    }
}
