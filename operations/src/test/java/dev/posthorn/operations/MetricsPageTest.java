package dev.posthorn.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.CheckpointStore;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.Log;
import dev.posthorn.relay.MemoryBudget;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.relay.RelayStatus.Obstacle;
import dev.posthorn.relay.RelayStatus.Totals;
import dev.posthorn.transport.Publisher;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about metrics is made of the metrics. */
class MetricsPageTest {

    private static final Path PAGE = Path.of("../docs/metrics.md");

    /** Names that people gave and words of a closed set; never an id or a key. A member reports a hundred types at most. */
    private static final Set<String> LABELS =
            Set.of("route", "station", "name", "consumer", "kind", "target", "outcome", "type");

    /** The names under which systems that moved here were watched. */
    private static final List<String> OF_THE_DESIGNS = List.of(
            "event_outbox_backlog", "event_publish_lag_seconds", "dead_letter_count", "event_consumer_lag_seconds");

    @Test
    void everyMetricIsOnThePage() throws IOException {
        String page = page();
        if (Boolean.getBoolean("posthorn.docs.update")) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE))
                .as("update it with: ./mvnw -pl operations -am test -Dtest=MetricsPageTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dposthorn.docs.update=true")
                .isEqualTo(page);
        assertThat(OF_THE_DESIGNS).allSatisfy(name -> assertThat(page).contains("| `" + name + "` |"));
    }

    @Test
    void noLabelIsAnIdOrAKey() {
        Set<String> labels = Stream.concat(
                        Stream.of(Metric.values()).flatMap(metric -> metric.labels().stream()),
                        ofAProcess().values().stream()
                                .flatMap(id -> id.getTags().stream().map(Tag::getKey)))
                .collect(Collectors.toSet());

        assertThat(LABELS).containsAll(labels);
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Metrics

                `GET /v1/metrics` shows these to Prometheus; see [health and metrics](operations.md#health-and-metrics). A test makes this
                page of the metrics themselves.

                ## Of the whole log

                All are gauges, the same from every process, so take the greatest. A scrape costs the database nothing: they are read
                every `http.figures-every`, and no statement looks at more than about 10,000 rows of a route. A figure that is not
                known is never shown as 0: while the database does not answer, figures are absent or NaN, `posthorn_database_up` is 0,
                and `posthorn_figures_age_seconds` grows.

                | metric | labels | means |
                |---|---|---|
                """);
        for (Metric metric : Metric.values()) {
            row(page, metric.text(), String.join(", ", metric.labels()), metric.help());
        }
        page.append("""

                ## Of one process

                | metric | labels | kind | means |
                |---|---|---|---|
                """);
        ofAProcess()
                .forEach((name, id) -> row(
                        page,
                        name,
                        id.getTags().stream().map(Tag::getKey).sorted().collect(Collectors.joining(", ")),
                        kind(id),
                        String.valueOf(id.getDescription())));
        return page.toString();
    }

    private static void row(StringBuilder page, String name, String... cells) {
        page.append("| `")
                .append(name)
                .append("` | ")
                .append(String.join(" | ", cells))
                .append(" |\n");
    }

    private static String kind(Meter.Id id) {
        return id.getType() == Meter.Type.TIMER ? "timer" : id.getType().name().toLowerCase(Locale.ROOT);
    }

    /** By the names that a scrape shows, each once. */
    private static Map<String, Meter.Id> ofAProcess() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        RelayMetrics metrics = new RelayMetrics(registry, "orders", Clock.systemUTC());
        RelayMetrics.watch(registry, MemoryBudget.ofProcess());
        metrics.around(unused(Publisher.class));
        metrics.around(new Relay.Stores(
                "orders", "relay", unused(Log.class), unused(CheckpointStore.class), unused(LeaseStore.class)));
        metrics.watch(
                "a relay",
                relay -> new RelayStatus(
                        List.of(), new Totals(0, 0, 0, 0, 0, 0), 0, 0, 0, Optional.empty(), Obstacle.NONE));
        PruneMetrics unused = new PruneMetrics(registry, Clock.systemUTC());
        new Board(registry, Clock.systemUTC()).lose();
        Map<String, Meter.Id> all = new TreeMap<>();
        registry.getMeters().stream()
                .filter(meter -> meter.getId().getDescription() != null)
                .forEach(meter -> {
                    String name = meter.getId().getName();
                    all.put(meter.getId().getType() == Meter.Type.COUNTER ? name + "_total" : name, meter.getId());
                });
        return all;
    }

    /** A port that nothing is asked of: it is only wrapped. */
    private static <T> T unused(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> null));
    }
}
