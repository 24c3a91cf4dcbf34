package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The shared broker, used with two accounts that may do no more than the README says. */
final class RabbitMqTestBroker implements TestBroker {

    private final UnaryOperator<RabbitMqConfig> settings;
    private final Runnable afterSubscribing;
    private final Forwarder network;

    RabbitMqTestBroker(UnaryOperator<RabbitMqConfig> settings) {
        this(settings, () -> {});
    }

    private RabbitMqTestBroker(UnaryOperator<RabbitMqConfig> settings, Runnable afterSubscribing) {
        this.settings = settings;
        this.afterSubscribing = afterSubscribing;
        this.network = Forwarder.to(RabbitMq.shared().port());
    }

    /** One that may be killed right after a queue was declared, and still has it. */
    static RabbitMqTestBroker thatWillBeKilled() {
        return new RabbitMqTestBroker(config -> config, RabbitMqTestBroker::flushIfAlive);
    }

    private static void flushIfAlive() {
        if (RabbitMq.shared().isAlive()) {
            RabbitMq.shared().flush();
        }
    }

    @Override
    public Bus open(String prefix) {
        return open(prefix, Unroutable.FAIL);
    }

    @Override
    public Bus openLenient(String prefix) {
        return open(prefix, Unroutable.ACCEPT);
    }

    private Bus open(String prefix, Unroutable unroutable) {
        return new TwoAccounts(
                new RabbitMqTransport(
                        settings.apply(RabbitMq.config(prefix, RabbitMq.RELAY)).unroutable(unroutable)),
                new RabbitMqTransport(settings.apply(RabbitMq.config(prefix, RabbitMq.SUBSCRIBER))),
                afterSubscribing);
    }

    @Override
    public boolean inject(String prefix, String domain, byte[] bytes) {
        return RabbitMq.asAdmin(channel -> {
            channel.basicPublish(prefix + ".events", domain + ".hostile", MessageProperties.PERSISTENT_BASIC, bytes);
            return true;
        });
    }

    @Override
    public List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain) {
        return RabbitMq.peek(prefix + "." + subscriber.name() + ".dlq").stream()
                .map(GetResponse::getBody)
                .toList();
    }

    @Override
    public List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain) {
        return RabbitMq.peek(prefix + "." + subscriber.name() + ".dlq").stream()
                .map(letter -> letter.getProps().toString())
                .toList();
    }

    @Override
    public Optional<BrokerFaults> faults() {
        EmbeddedRabbitMq broker = RabbitMq.shared();
        return Optional.of(new BrokerFaults() {
            @Override
            public void kill() {
                broker.kill();
            }

            @Override
            public void start() {
                broker.startAgain();
            }

            @Override
            public void freeze() {
                broker.freeze();
            }

            @Override
            public void thaw() {
                broker.thaw();
            }

            @Override
            public Optional<Forwarder> network() {
                return Optional.of(network);
            }

            @Override
            public Bus openThroughNetwork(String prefix) {
                return new RabbitMqTransport(RabbitMq.config(prefix, RabbitMq.RELAY)
                        .endpoint(RabbitMq.endpoint("127.0.0.1:" + network.port(), RabbitMq.RELAY)));
            }
        });
    }

    /** The broker is shared, and ends with the JVM. */
    @Override
    public void close() {
        network.close();
    }

    private record TwoAccounts(RabbitMqTransport sending, RabbitMqTransport receiving, Runnable afterSubscribing)
            implements Bus {

        @Override
        public String name() {
            return sending.name();
        }

        @Override
        public Duration ackDeadline() {
            return sending.ackDeadline();
        }

        @Override
        public Capabilities capabilities() {
            return sending.capabilities();
        }

        @Override
        public Publisher publisher() {
            return sending.publisher();
        }

        @Override
        public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
            Subscription subscription = receiving.subscribe(subscriber, receiver);
            afterSubscribing.run();
            return subscription;
        }

        @Override
        public void close() {
            sending.close();
            receiving.close();
        }
    }
}
