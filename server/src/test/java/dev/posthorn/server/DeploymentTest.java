package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What lies in the folder deploy, and the runbooks, speak of things that exist. */
class DeploymentTest {

    private static final Path ROOT = Path.of("..");
    private static final Path DEPLOY = ROOT.resolve("deploy");
    private static final Path RUNBOOKS = ROOT.resolve("docs/runbooks");
    private static final Pattern NAME = Pattern.compile("\\b(?:event|dead|posthorn)_[a-z_]+");
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
    private static final Pattern COMMAND = Pattern.compile("(?:\\./posthorn|posthorn\\.jar) ([^`\\n]+)");

    @Test
    void theConfigurationHasNoFaults() {
        Configuration config = Configuration.read(
                DEPLOY.resolve("posthorn.yaml"),
                Map.of(
                        "POSTHORN_DATABASE_URL", "postgres://relay:secret@db/shop",
                        "POSTHORN_TRANSPORTS_BROKER_ADDRESS", "amqps://relay:secret@rabbit/shop",
                        "POSTHORN_HTTP_ADDRESS", "0.0.0.0:8025",
                        "METRICS_TOKEN", "a-long-token"),
                List.of());

        assertThat(config.faults()).isEmpty();
        assertThat(new PlanReader(config).plan().routes()).hasSize(1);
    }

    @Test
    void everyAlertHasARunbookAndTheOtherWayAround() throws IOException {
        Set<String> alerts = new TreeSet<>(found(ALERT, DEPLOY.resolve("prometheus/posthorn.rules.yaml"), 1));
        try (Stream<Path> files = Files.list(RUNBOOKS)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".md", ""))
                            .filter(name -> !name.equals("README")))
                    .containsExactlyInAnyOrderElementsOf(alerts);
        }
        assertThat(read(RUNBOOKS.resolve("README.md"))).contains(alerts);
        assertThat(alerts)
                .allSatisfy(alert -> assertThat(read(DEPLOY.resolve("prometheus/posthorn.test.yaml")))
                        .contains("alertname: " + alert));
    }

    @Test
    void everyCommandOfTheRunbooksAndUnitsExists() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(DEPLOY.resolve("systemd/posthorn-relay.service")));
        try (Stream<Path> files = Files.list(RUNBOOKS)) {
            files.forEach(pages::add);
        }
        int commands = 0;
        for (Path page : pages) {
            for (String line : found(COMMAND, page, 1)) {
                CommandUses.assertExists(line, page);
                commands++;
            }
        }
        assertThat(commands).isGreaterThan(30);
    }

    @Test
    void manifestsAndDashboardCanBeRead() throws IOException {
        List<Object> manifests = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(read(DEPLOY.resolve("kubernetes/relay.yaml")))
                .forEach(manifests::add);
        assertThat(manifests).hasSize(2);
        assertThat(new ObjectMapper()
                        .readTree(read(DEPLOY.resolve("grafana/posthorn.json")))
                        .path("panels"))
                .hasSizeGreaterThan(10);
        assertThat(read(DEPLOY.resolve("kubernetes/relay.yaml")))
                .contains("/v1/health/live", "/v1/health/ready", "terminationGracePeriodSeconds: 30");
    }

    /** Relays refuse a schema that is older than they are, so something must bring it up to date. */
    @Test
    void aJobMigratesBeforeTheRelaysOfANewVersionStart() {
        Path page = DEPLOY.resolve("kubernetes/migrate.yaml");
        JsonNode job =
                new ObjectMapper().valueToTree(new Load(LoadSettings.builder().build()).loadFromString(read(page)));
        JsonNode container = job.at("/spec/template/spec/containers/0");
        List<String> words = new ArrayList<>();
        container.path("args").forEach(word -> words.add(word.asText()));

        assertThat(job.path("kind").asText()).isEqualTo("Job");
        assertThat(words).containsExactly("schema", "migrate");
        CommandUses.assertExists(String.join(" ", words), page);
        assertThat(read(DEPLOY.resolve("kubernetes/relay.yaml")))
                .contains("image: " + container.path("image").asText())
                .contains("migrate.yaml");
    }

    /** Out of memory, no thread can be relied on; whatever starts a relay must start another. */
    @Test
    void everythingThatStartsAProcessEndsItWhenItIsOutOfMemory() throws IOException {
        String option = "-XX:+ExitOnOutOfMemoryError";
        List<Path> starts = new ArrayList<>(List.of(
                ROOT.resolve("posthorn"),
                DEPLOY.resolve("kubernetes/relay.yaml"),
                DEPLOY.resolve("kubernetes/migrate.yaml")));
        try (Stream<Path> files = Files.list(DEPLOY.resolve("systemd"))) {
            files.forEach(starts::add);
        }
        for (Path start : starts) {
            assertThat(read(start)).as(start.toString()).contains(option);
        }
        assertThat(read(ROOT.resolve("posthorn")).lines().filter(line -> line.startsWith("exec \"$java\"")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(option));
        assertThat(read(DEPLOY.resolve("systemd/posthorn-relay.service"))
                        .lines()
                        .filter(line -> line.startsWith("ExecStart=")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(option));
    }

    @Test
    void theAlertsFireWhenTheyShould() throws IOException, InterruptedException {
        boolean installed = Files.isExecutable(Path.of("/usr/bin/promtool"));
        if (!"true".equals(System.getenv("CI"))) {
            assumeTrue(installed, "promtool is not installed");
        }
        Process promtool = new ProcessBuilder("promtool", "test", "rules", "posthorn.test.yaml")
                .directory(DEPLOY.resolve("prometheus").toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(promtool.waitFor()).as(said).isZero();
    }

    /** The metrics that alerts, dashboard and runbooks speak of, by the page; compared with a scrape elsewhere. */
    static Map<Path, Set<String>> namedMetrics() {
        Map<Path, Set<String>> named = new TreeMap<>();
        List<Path> pages = new ArrayList<>(List.of(
                DEPLOY.resolve("prometheus/posthorn.rules.yaml"),
                DEPLOY.resolve("prometheus/posthorn.test.yaml"),
                DEPLOY.resolve("grafana/posthorn.json")));
        try (Stream<Path> files = Files.list(RUNBOOKS)) {
            files.forEach(pages::add);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        pages.forEach(page -> named.put(page, new TreeSet<>(found(NAME, page, 0))));
        return named;
    }

    private static List<String> found(Pattern pattern, Path file, int group) {
        return pattern.matcher(read(file))
                .results()
                .map((MatchResult result) -> result.group(group))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
