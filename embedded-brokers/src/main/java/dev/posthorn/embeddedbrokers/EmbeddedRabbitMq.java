package dev.posthorn.embeddedbrokers;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The machine's RabbitMQ as a private node on the loopback address, without plugins.
 *
 * <p>Needs Debian's {@code rabbitmq-server} or one that is installed in the same place. Not thread-safe.
 */
public final class EmbeddedRabbitMq extends EmbeddedBroker {

    /** An account of the virtual host "/", with RabbitMQ's three permissions, each a regular expression over names. */
    public record User(String name, String password, String configure, String write, String read) {

        /** May do everything, and administrate. */
        public static final User ADMIN = new User("admin", "admin", ".*", ".*", ".*");

        @Override
        public String toString() {
            return "User[" + name + "]";
        }
    }

    private static final Path SERVER = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
    private static final Path CONTROL = Path.of("/usr/lib/rabbitmq/bin/rabbitmqctl");
    private static final byte[] GREETING = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final int SOCKET_MILLIS = 1_000;
    private static final int CONTROL_SECONDS = 60;

    private final int port = BrokerProcess.freePort();
    private final Map<String, String> environment = new HashMap<>();
    private final int namesPort = BrokerProcess.freePort();

    private EmbeddedRabbitMq(List<User> users, List<String> settings) {
        super("rabbitmq");
        write("enabled_plugins", "[].");
        write("definitions.json", definitions(users));
        List<String> all = new ArrayList<>(List.of(
                "listeners.tcp.default = 127.0.0.1:" + port,
                "load_definitions = " + folder().resolve("definitions.json"),
                "log.console = false",
                "log.file.level = warning",
                "disk_free_limit.absolute = 10MB",
                "vm_memory_high_watermark.absolute = 512MB"));
        all.addAll(settings);
        write("rabbitmq.conf", String.join("\n", all) + "\n");
        environment.put("HOME", folder().toString());
        environment.put("RABBITMQ_NODENAME", "posthorn" + port + "@localhost");
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(BrokerProcess.freePort()));
        environment.put("RABBITMQ_MNESIA_BASE", folder().resolve("data").toString());
        environment.put("RABBITMQ_LOG_BASE", folder().resolve("log").toString());
        environment.put(
                "RABBITMQ_CONFIG_FILE", folder().resolve("rabbitmq.conf").toString());
        environment.put(
                "RABBITMQ_ENABLED_PLUGINS_FILE",
                folder().resolve("enabled_plugins").toString());
        environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
        environment.put("RABBITMQ_PID_FILE", folder().resolve("pid").toString());
        environment.put(
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}");
        environment.put(
                "RUNNING_UNDER_SYSTEMD", "true"); // else the server is a child of a shell script that waits for it
        environment.put("ERL_EPMD_PORT", Integer.toString(namesPort));
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    }

    /** Whether there is a RabbitMQ on this machine. */
    public static boolean isInstalled() {
        return Files.isExecutable(SERVER);
    }

    /** With {@link User#ADMIN} alone. */
    public static EmbeddedRabbitMq start() {
        return start(List.of(User.ADMIN), List.of());
    }

    /** With these accounts, and with further lines of {@code rabbitmq.conf}; returns when it answers. */
    public static EmbeddedRabbitMq start(List<User> users, List<String> settings) {
        if (!isInstalled()) {
            throw new PosthornException(
                    "RabbitMQ is not installed: there is no " + SERVER + ". Install rabbitmq-server.");
        }
        EmbeddedRabbitMq broker = new EmbeddedRabbitMq(users, settings);
        broker.startAgain();
        return broker;
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    @Override
    Launch launch() {
        // Erlang's name server would make itself a daemon and outlive everything; so it is started here, in the group.
        return new Launch(
                List.of("sh", "-c", "epmd -port " + namesPort + " -address 127.0.0.1 & exec " + SERVER), environment);
    }

    @Override
    boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host(), port), SOCKET_MILLIS);
            socket.setSoTimeout(SOCKET_MILLIS);
            socket.getOutputStream().write(GREETING);
            InputStream in = socket.getInputStream();
            return in.read() == 1; // a method frame: connection.start
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * Writes to disk which quorum queues there are. RabbitMQ does so seconds after they were declared: one that was declared
     * just before a {@link #kill} has no leader afterwards, for good.
     */
    public void flush() {
        String unused = control("eval", "[dets:sync(Table) || Table <- dets:all()].");
    }

    /** Runs {@code rabbitmqctl} and returns what it printed; throws if it fails. Takes a second or two. */
    public String control(String... arguments) {
        List<String> command = new ArrayList<>(List.of(CONTROL.toString()));
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile(folder(), "control", ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process control = builder.start();
            boolean ended = control.waitFor(CONTROL_SECONDS, TimeUnit.SECONDS);
            String printed = Files.readString(output);
            if (!ended || control.exitValue() != 0) {
                control.destroyForcibly();
                throw new PosthornException("rabbitmqctl " + arguments[0] + " failed: " + printed);
            }
            return printed;
        } catch (IOException e) {
            throw new PosthornException("Cannot run rabbitmqctl: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PosthornException("Interrupted while rabbitmqctl ran", e);
        }
    }

    private void write(String name, String text) {
        try {
            Files.writeString(folder().resolve(name), text);
        } catch (IOException e) {
            throw new PosthornException("Cannot write " + name + " for RabbitMQ: " + e.getMessage(), e);
        }
    }

    private static String definitions(List<User> users) {
        String accounts = users.stream()
                .map(user -> "{\"name\":" + quoted(user.name()) + ",\"password_hash\":" + quoted(hash(user.password()))
                        + ",\"hashing_algorithm\":\"rabbit_password_hashing_sha256\",\"tags\":"
                        + (user.equals(User.ADMIN) ? "[\"administrator\"]" : "[]") + "}")
                .collect(Collectors.joining(","));
        String permissions = users.stream()
                .map(user -> "{\"user\":" + quoted(user.name()) + ",\"vhost\":\"/\",\"configure\":"
                        + quoted(user.configure()) + ",\"write\":" + quoted(user.write()) + ",\"read\":"
                        + quoted(user.read()) + "}")
                .collect(Collectors.joining(","));
        return "{\"users\":[" + accounts + "],\"vhosts\":[{\"name\":\"/\"}],\"permissions\":[" + permissions + "]}";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** RabbitMQ's own form: four bytes of salt, then the SHA-256 of salt and password. The salt may be any. */
    private static String hash(String password) {
        try {
            byte[] salt = {1, 2, 3, 4};
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(salt);
            byte[] digest = sha.digest(password.getBytes(StandardCharsets.UTF_8));
            byte[] both = new byte[salt.length + digest.length];
            System.arraycopy(salt, 0, both, 0, salt.length);
            System.arraycopy(digest, 0, both, salt.length, digest.length);
            return Base64.getEncoder().encodeToString(both);
        } catch (NoSuchAlgorithmException e) {
            throw new PosthornException("This Java has no SHA-256", e);
        }
    }
}
