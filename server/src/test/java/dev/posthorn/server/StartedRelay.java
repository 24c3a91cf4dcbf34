package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process that runs {@code posthorn relay --config}. */
final class StartedRelay implements AutoCloseable {

    private static final Pattern PLACE = Pattern.compile("Health and metrics at http://127.0.0.1:(\\d+)/v1");
    private static final Pattern LINK = Pattern.compile("Console at http://127.0.0.1:\\d+/#token=([\\w-]+)");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private final List<Thread> gatherers = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    StartedRelay(Path config, String... more) {
        this(Map.of(), config, more);
    }

    StartedRelay(Map<String, String> environment, Path config, String... more) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Duser.home=" + config.toAbsolutePath().getParent(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "relay",
                "--json",
                "--config=" + config);
        builder.command().addAll(List.of(more));
        builder.environment().keySet().removeIf(name -> name.startsWith("POSTHORN_"));
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        gatherers.add(gather(process.inputReader(), out));
        gatherers.add(gather(process.errorReader(), err));
    }

    private static Thread gather(BufferedReader from, List<String> to) {
        Thread thread = new Thread(() -> from.lines().forEach(to::add), "gather");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    List<String> out() {
        return out;
    }

    List<String> err() {
        return err;
    }

    StartedRelay untilStarted(int routes) {
        await(
                "started",
                () -> out.stream()
                                .filter(line -> line.contains("\"event\":\"started\""))
                                .count()
                        == routes);
        return this;
    }

    int port() {
        return err.stream()
                .map(PLACE::matcher)
                .filter(Matcher::find)
                .map(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no port: " + err));
    }

    /** The token of its link; empty if tokens are configured. */
    Optional<String> generatedToken() {
        return err.stream()
                .map(LINK::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst();
    }

    /** With the generated token, if it has one. */
    HttpResponse<String> get(String path) {
        return get(path, generatedToken());
    }

    HttpResponse<String> get(String path, Optional<String> token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(5));
        token.ifPresent(bearer -> request.header("Authorization", "Bearer " + bearer));
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    JsonNode health() {
        try {
            return new ObjectMapper().readTree(get("/v1/health").body());
        } catch (IOException invalid) {
            throw new UncheckedIOException(invalid);
        }
    }

    /** One value of a scrape, by name and labels as they are shown; NaN if it is not there. */
    double metric(String nameAndLabels) {
        return get("/v1/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(nameAndLabels + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(nameAndLabels.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new AssertionError("In vain: " + what + "\n" + out + "\n" + String.join("\n", err));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Through its handle: to destroy a process closes its streams, and what it said last would be lost. */
    void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    /** Sends SIGTERM and waits; the exit code. */
    int stop() throws InterruptedException {
        process.toHandle().destroy();
        return awaitEnd();
    }

    /** The exit code. */
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("It did not end: " + String.join("\n", err));
        }
        for (Thread gatherer : gatherers) {
            gatherer.join();
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }
}
