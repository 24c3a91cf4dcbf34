package dev.posthorn.embeddedbrokers;

import dev.posthorn.event.PosthornException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The machine's {@code redis-server}, on a port of the loopback address, with an append-only file in a folder of its own.
 *
 * <p>Needs the package {@code redis-server}. Unless set otherwise the file is forced to disk each second; what was
 * answered in between may be lost when the process is killed. With {@code appendfsync always} nothing is. Not thread-safe.
 */
public final class EmbeddedRedis extends EmbeddedBroker {

    private static final String HOST = "127.0.0.1";
    private static final int ANSWER_MILLIS = 2_000;

    private final int port = BrokerProcess.freePort();
    private final Path program;

    private EmbeddedRedis(Path program, Map<String, String> settings) {
        super("redis");
        this.program = program;
        Map<String, String> all = new LinkedHashMap<>();
        all.put("bind", HOST);
        all.put("port", Integer.toString(port));
        all.put("dir", "\"" + folder() + "\"");
        all.put("save", "\"\"");
        all.put("appendonly", "yes");
        all.put("appendfsync", "everysec");
        all.putAll(settings);
        StringBuilder lines = new StringBuilder();
        all.forEach(
                (name, value) -> lines.append(name).append(' ').append(value).append('\n'));
        try {
            Files.writeString(configuration(), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether this machine has the program. */
    public static boolean isInstalled() {
        return program().isPresent();
    }

    public static EmbeddedRedis start() {
        return start(Map.of());
    }

    /** With further lines for its configuration, such as {@code appendfsync} and {@code always}; they win. */
    public static EmbeddedRedis start(Map<String, String> settings) {
        Path program = program()
                .orElseThrow(() -> new PosthornException(
                        "There is no redis-server on the path of this process. Install the package redis-server."));
        EmbeddedRedis redis = new EmbeddedRedis(program, settings);
        redis.startAgain();
        return redis;
    }

    private static Optional<Path> program() {
        List<String> folders =
                new ArrayList<>(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)));
        folders.add("/usr/bin");
        return Stream.concat(folders.stream(), Stream.of("/usr/local/bin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "redis-server"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public String host() {
        return HOST;
    }

    public int port() {
        return port;
    }

    @Override
    Launch launch() {
        return Launch.of(List.of(program.toString(), configuration().toString()));
    }

    private Path configuration() {
        return folder().resolve("redis.conf");
    }

    /** Any answer but that it still reads its file; one about a missing password is an answer too. */
    @Override
    boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(5);
            return answer.length == 5 && !new String(answer, StandardCharsets.US_ASCII).startsWith("-LOA");
        } catch (IOException notYet) {
            return false;
        }
    }
}
