package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A private emulator behind a gate. It keeps everything in memory, so instead of killing it the network to it is cut, as far
 * as anybody could tell: Pub/Sub itself does not forget either.
 */
final class TestPubSub implements TestBroker {

    static final String PROJECT = "posthorn-test";
    /** The shortest there is; tests about deadlines outlast it. */
    static final SubscriptionSettings SUBSCRIPTIONS = SubscriptionSettings.STANDARD.ackDeadline(Duration.ofSeconds(10));

    static final GooglePubSubConfig.Timing TIMING =
            new GooglePubSubConfig.Timing(Duration.ofSeconds(5), Duration.ofSeconds(1));

    private final EmbeddedPubSub emulator;
    private final Gate gate;
    private final Admin admin;
    private final Forwarder network;

    private TestPubSub(EmbeddedPubSub emulator) {
        this.emulator = emulator;
        this.gate = new Gate(emulator.address());
        this.network = Forwarder.to(Integer.parseInt(emulator.address().split(":", 2)[1]));
        this.admin = new Admin(emulator.address());
    }

    /** Google's emulator. Where only the other one is, which keeps no order, tests are skipped by name and one is left. */
    static TestPubSub start() {
        if (!EmbeddedPubSub.isInstalled()) {
            String why = "there is no emulator of Pub/Sub on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            skip(why);
        }
        EmbeddedPubSub started = EmbeddedPubSub.start();
        if (!started.kind().keepsOrder()) {
            started.close();
            skip("there is only pstest, which keeps no order, counts no deliveries and refuses nothing");
        }
        return new TestPubSub(started);
    }

    private static void skip(String why) {
        String test = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(type -> type.getSimpleName().endsWith("Test"))
                        .map(Class::getSimpleName)
                        .findFirst()
                        .orElse("a test"));
        System.out.println("skipped: " + test + ", because " + why);
        Assumptions.abort(why);
    }

    static TestPubSub start(EmbeddedPubSub.Kind kind) {
        return new TestPubSub(EmbeddedPubSub.start(kind));
    }

    EmbeddedPubSub emulator() {
        return emulator;
    }

    Gate gate() {
        return gate;
    }

    Admin admin() {
        return admin;
    }

    GooglePubSubConfig config(String prefix) {
        return config(prefix, gate.address());
    }

    private static GooglePubSubConfig config(String prefix, String address) {
        return GooglePubSubConfig.at(Endpoint.emulator(PROJECT, address))
                .names(Names.withPrefix(prefix))
                .subscriptions(SUBSCRIPTIONS)
                .timing(TIMING);
    }

    @Override
    public Bus open(String prefix) {
        return new GooglePubSubTransport(config(prefix));
    }

    @Override
    public Bus openLenient(String prefix) {
        return open(prefix);
    }

    /** A message has bytes or an attribute; without bytes it needs one. */
    @Override
    public boolean inject(String prefix, String domain, byte[] bytes) {
        admin.publish(
                prefix + "-events-" + domain,
                PubsubMessage.newBuilder()
                        .setData(ByteString.copyFrom(bytes))
                        .putAttributes("from", "elsewhere")
                        .build());
        return true;
    }

    @Override
    public List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain) {
        return admin.kept(prefix + "-dlq-" + domain).stream()
                .map(message -> message.getData().toByteArray())
                .toList();
    }

    @Override
    public List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain) {
        return admin.kept(prefix + "-dlq-" + domain).stream()
                .map(message -> message.getAttributesMap().toString())
                .toList();
    }

    @Override
    public Optional<BrokerFaults> faults() {
        return Optional.of(new BrokerFaults() {
            @Override
            public void kill() {
                gate.shut();
            }

            @Override
            public void start() {
                gate.reopen();
            }

            @Override
            public void freeze() {
                emulator.freeze();
            }

            @Override
            public void thaw() {
                emulator.thaw();
            }

            @Override
            public Optional<Forwarder> network() {
                return Optional.of(network);
            }

            @Override
            public Bus openThroughNetwork(String prefix) {
                return new GooglePubSubTransport(config(prefix, "127.0.0.1:" + network.port()));
            }
        });
    }

    @Override
    public void close() {
        admin.close();
        network.close();
        gate.close();
        emulator.close();
    }
}
