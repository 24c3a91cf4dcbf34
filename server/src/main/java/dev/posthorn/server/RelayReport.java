package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;

/** What a relay process says on standard output, a line at a time. Thread-safe. */
final class RelayReport {

    private final Relay relay;
    private final String name;
    private final String route;
    private final boolean json;
    private final Consumer<String> out;
    private long lastPublished;
    private long lastTime = System.nanoTime();

    RelayReport(Relay relay, String name, String route, boolean json, Consumer<String> out) {
        this.relay = relay;
        this.name = name;
        this.route = route;
        this.json = json;
        this.out = out;
    }

    synchronized void started(String transport, String place) {
        if (json) {
            line(event("started")
                    .put("transport", transport)
                    .put("database", place)
                    .put("pid", ProcessHandle.current().pid())
                    .put("version", Version.number()));
        } else {
            out.accept("relay " + name + " started: route " + route + " from " + place + " to " + transport
                    + "; Ctrl-C or SIGTERM stops it");
        }
    }

    synchronized void status() {
        RelayStatus status = relay.status();
        long now = System.nanoTime();
        double rate = (status.totals().published() - lastPublished) * 1e9 / Math.max(1, now - lastTime);
        lastTime = now;
        lastPublished = status.totals().published();
        if (json) {
            line(counts("status", status).put("per_second", Math.round(rate)));
        } else {
            out.accept(Instant.now().truncatedTo(java.time.temporal.ChronoUnit.SECONDS) + " " + text(status)
                    + String.format(Locale.ROOT, ", %,d/s", Math.round(rate)));
        }
    }

    synchronized void stopped() {
        RelayStatus status = relay.status();
        if (json) {
            line(counts("stopped", status));
        } else {
            out.accept("relay " + name + " stopped: " + text(status));
        }
    }

    private static String text(RelayStatus status) {
        String counts = String.format(
                Locale.ROOT,
                "%,d published, %d lanes, %,d under way, %,d keys blocked, %,d dead",
                status.totals().published(),
                status.lanes().size(),
                status.held(),
                status.blockedKeys(),
                status.totals().dead());
        return counts + status.outage().map(why -> ", outage: " + why).orElse("");
    }

    private ObjectNode counts(String what, RelayStatus status) {
        ObjectNode node = event(what)
                .put("published", status.totals().published())
                .put("failed_attempts", status.totals().failedAttempts())
                .put("dead", status.totals().dead())
                .put("reloads", status.totals().reloads())
                .put("under_way", status.held())
                .put("in_flight", status.inFlight())
                .put("blocked_keys", status.blockedKeys())
                .put("outage", status.outage().orElse(null));
        status.lanes().forEach(node.putArray("lanes")::add);
        return node;
    }

    private ObjectNode event(String what) {
        return Json.object()
                .put("event", what)
                .put("at", Instant.now().toString())
                .put("relay", name)
                .put("route", route);
    }

    private void line(ObjectNode node) {
        out.accept(Json.line(node));
    }
}
