package dev.posthorn.consoletests;

import dev.posthorn.server.Main;
import dev.posthorn.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A process of {@code posthorn relay --config} with its console. */
final class RelayUnderTest implements AutoCloseable {

    private static final Pattern PLACE = Pattern.compile("(http://127\\.0\\.0\\.1:\\d+)/");
    private static final int ROUTES = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private RelayUnderTest(Process process) {
        this.process = process;
    }

    /** Returns when it publishes both routes and its console can be reached. */
    static RelayUnderTest start(Path folder, String config) {
        try {
            Path file = Files.writeString(Files.createTempFile(folder, "posthorn", ".yaml"), config);
            ProcessBuilder builder = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx256m",
                            "-Duser.home=" + folder,
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "relay",
                            "--json",
                            "--config=" + file)
                    .redirectErrorStream(true);
            builder.environment().keySet().removeIf(name -> name.startsWith("POSTHORN_"));
            RelayUnderTest relay = new RelayUnderTest(builder.start());
            Thread gatherer =
                    new Thread(() -> relay.process.inputReader().lines().forEach(relay.lines::add), "gather");
            gatherer.setDaemon(true);
            gatherer.start();
            Await.within(PATIENCE, () -> "it starts: " + relay.lines, relay::hasStarted);
            return relay;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private boolean hasStarted() {
        if (!process.isAlive()) {
            throw new AssertionError("It has ended: " + String.join("\n", lines));
        }
        return lines.stream()
                                .filter(line -> line.contains("\"event\":\"started\""))
                                .count()
                        == ROUTES
                && place() != null;
    }

    /** Such as {@code http://127.0.0.1:8025}. */
    String address() {
        String place = place();
        if (place == null) {
            throw new AssertionError("It has no console: " + lines);
        }
        return place;
    }

    /** The link that it prints, with a token in it if none is configured. */
    String link() {
        return lines.stream()
                .filter(line -> line.contains("Console at"))
                .map(line -> line.substring(line.indexOf("http://")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("It has no console: " + lines));
    }

    private @Nullable String place() {
        return lines.stream()
                .filter(line -> line.contains("Console at"))
                .map(PLACE::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElse(null);
    }

    /** As by kill -9. */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }
}
