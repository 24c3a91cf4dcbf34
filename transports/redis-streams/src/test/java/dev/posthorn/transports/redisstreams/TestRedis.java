package dev.posthorn.transports.redisstreams;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A private Redis whose user for the transport may do what the README says and nothing else. */
final class TestRedis implements TestBroker {

    static final String USER = "posthorn";
    static final String SECRET = "s3cret-of-the-test";
    /** Deadlines of about a second, so that handlers outlast them. */
    static final RedisStreamsConfig.Timing TIMING = new RedisStreamsConfig.Timing(
            Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofHours(24), Duration.ofMinutes(1));

    private final EmbeddedRedis server;
    private final RedisClient client = RedisClient.create();
    private final Forwarder network;

    private TestRedis(EmbeddedRedis server) {
        this.server = server;
        this.network = Forwarder.to(server.port());
    }

    static TestRedis start() {
        return start(Map.of());
    }

    static TestRedis start(Map<String, String> settings) {
        if (!EmbeddedRedis.isInstalled()) {
            String why = "redis-server is not installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("Nothing is tested with Redis: " + why);
            Assumptions.abort(why);
        }
        Map<String, String> all = new HashMap<>(settings);
        all.put("user", USER + " on >" + SECRET + " " + documentedRules());
        return new TestRedis(EmbeddedRedis.start(all));
    }

    /** Tests have prefixes that begin with t, features with g. */
    static String documentedRules() {
        String command = "ACL SETUSER posthorn on >SECRET ";
        try {
            return Files.readString(Path.of("README.md"))
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith(command))
                    .findFirst()
                    .orElseThrow()
                    .substring(command.length())
                    .replace("~posthorn-*", "~t* ~g*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    EmbeddedRedis server() {
        return server;
    }

    RedisURI uri(String user, String password) {
        return uri(user, password, server.port());
    }

    private RedisURI uri(String user, String password, int port) {
        return RedisURI.builder()
                .withHost(server.host())
                .withPort(port)
                .withAuthentication(user, password.toCharArray())
                .build();
    }

    RedisStreamsConfig config(String prefix) {
        return config(prefix, server.port());
    }

    private RedisStreamsConfig config(String prefix, int port) {
        return RedisStreamsConfig.at(uri(USER, SECRET, port))
                .names(Names.withPrefix(prefix))
                .timing(TIMING);
    }

    /** As somebody who may do everything. The caller closes the connection. */
    StatefulRedisConnection<String, byte[]> admin() {
        return client.connect(
                RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE),
                RedisURI.create(server.host(), server.port()));
    }

    @Override
    public Bus open(String prefix) {
        return new RedisStreamsTransport(config(prefix));
    }

    @Override
    public Bus openLenient(String prefix) {
        return open(prefix);
    }

    @Override
    public boolean inject(String prefix, String domain, byte[] bytes) {
        try (StatefulRedisConnection<String, byte[]> admin = admin()) {
            admin.sync().xadd(prefix + "-events-" + domain + "-3", Map.of(Fields.PAYLOAD, bytes));
            return true;
        }
    }

    @Override
    public List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain) {
        try (StatefulRedisConnection<String, byte[]> admin = admin()) {
            RedisCommands<String, byte[]> commands = admin.sync();
            return commands.xrange(prefix + "-dlq-" + domain, Range.unbounded()).stream()
                    .map(message -> message.getBody().get(Fields.PAYLOAD))
                    .toList();
        }
    }

    @Override
    public List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain) {
        try (StatefulRedisConnection<String, byte[]> admin = admin()) {
            return admin.sync().xrange(prefix + "-dlq-" + domain, Range.unbounded()).stream()
                    .map(letter -> letter.getBody().entrySet().stream()
                            .map(field -> field.getKey() + "=" + new String(field.getValue(), StandardCharsets.UTF_8))
                            .collect(Collectors.joining("\n")))
                    .toList();
        }
    }

    @Override
    public Optional<BrokerFaults> faults() {
        return Optional.of(new BrokerFaults() {
            @Override
            public void kill() {
                server.kill();
            }

            @Override
            public void start() {
                server.startAgain();
            }

            @Override
            public void freeze() {
                server.freeze();
            }

            @Override
            public void thaw() {
                server.thaw();
            }

            @Override
            public Optional<Forwarder> network() {
                return Optional.of(network);
            }

            @Override
            public Bus openThroughNetwork(String prefix) {
                return new RedisStreamsTransport(config(prefix, network.port()));
            }
        });
    }

    @Override
    public void close() {
        client.shutdown();
        network.close();
        server.close();
    }
}
