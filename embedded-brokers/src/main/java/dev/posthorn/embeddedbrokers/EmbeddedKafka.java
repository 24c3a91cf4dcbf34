package dev.posthorn.embeddedbrokers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.PosthornException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A Kafka broker with one node, as a process of its own in a folder of its own, on the loopback address.
 *
 * <p>It has two doors: {@link #address} lets everybody do everything, {@link #guardedAddress} asks for a password
 * (SASL_PLAINTEXT, SCRAM-SHA-256) and lets each user do what access rules say. Topics are not made by themselves. The jars
 * come from the folder that the system property {@value #LIB} names, otherwise from this project's own build. Not thread-safe.
 */
public final class EmbeddedKafka extends EmbeddedBroker {

    /** Names the folder with the broker's jars. */
    public static final String LIB = "posthorn.kafka.lib";

    /** Names more options for the broker's JVM, such as those that make short runs cheap. */
    static final String JVM = "posthorn.kafka.jvm";

    private static final int ANSWER_MILLIS = 1_000;
    private static final short API_VERSIONS = 18;

    private final Path lib;
    private final int port = BrokerProcess.freePort();
    private final int guardedPort = BrokerProcess.freePort();

    private EmbeddedKafka(Path lib) {
        super("kafka");
        this.lib = lib;
    }

    /** Starts a broker with nothing in it; returns when it answers. */
    public static EmbeddedKafka start() {
        return start(Map.of());
    }

    /**
     * The same, with settings of the broker's own that win over those made here; <code>{address}</code> and <code>
     * {guarded-address}</code> in them stand for the two doors.
     */
    public static EmbeddedKafka start(Map<String, String> settings) {
        EmbeddedKafka kafka = new EmbeddedKafka(KafkaJars.find());
        try {
            Files.writeString(kafka.folder().resolve("server.properties"), kafka.settings(settings), UTF_8);
            kafka.startAgain();
        } catch (IOException e) {
            throw new PosthornException("Cannot write the settings of Kafka: " + e.getMessage(), e);
        } catch (PosthornException failed) {
            kafka.close();
            throw failed;
        }
        return kafka;
    }

    private String settings(Map<String, String> own) {
        StringBuilder all = new StringBuilder(standard());
        own.forEach((name, value) -> all.append(name)
                .append('=')
                .append(value.replace("{address}", address()).replace("{guarded-address}", guardedAddress()))
                .append('\n'));
        return all.toString();
    }

    private String standard() {
        int controller = BrokerProcess.freePort();
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%3$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,SASL_PLAINTEXT://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=PLAINTEXT
                controller.listener.names=CONTROLLER
                log.dirs=%4$s
                sasl.enabled.mechanisms=SCRAM-SHA-256
                listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config=\
                org.apache.kafka.common.security.scram.ScramLoginModule required;
                authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
                super.users=User:ANONYMOUS
                auto.create.topics.enable=false
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=1
                group.initial.rebalance.delay.ms=0
                group.min.session.timeout.ms=1000
                broker.session.timeout.ms=1000
                broker.heartbeat.interval.ms=200
                """.formatted(port, guardedPort, controller, folder().resolve("data"));
    }

    /** Host and port where nobody is asked who they are. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Host and port where users have passwords and rights. There are none until somebody makes them. */
    public String guardedAddress() {
        return "127.0.0.1:" + guardedPort;
    }

    @Override
    Launch launch() {
        // A shell makes the storage, once, and then becomes the broker.
        String run = "\"$JAVA\" -Xmx512m -XX:+UseSerialGC -cp \"$LIB/*\" ";
        String script =
                "[ -e data/meta.properties ] || " + run + "-XX:TieredStopAtLevel=1 kafka.tools.StorageTool format -t "
                        + clusterId() + " -c server.properties >format.log 2>&1 || { cat format.log; exit 1; }\n"
                        + "exec " + run + System.getProperty(JVM, "") + " kafka.Kafka server.properties";
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new Launch(List.of("sh", "-c", script), Map.of("JAVA", java, "LIB", lib.toString()));
    }

    /** Asks for the versions of its API, which it tells only when it is at work. */
    @Override
    boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(10);
            out.writeShort(API_VERSIONS);
            out.writeShort(0);
            out.writeInt(1);
            out.writeShort(-1);
            out.flush();
            return new DataInputStream(socket.getInputStream()).readInt() > 0;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String clusterId() {
        byte[] id = new byte[16];
        new Random().nextBytes(id);
        id[0] = 1; // so that it does not begin with a hyphen
        return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    }
}
