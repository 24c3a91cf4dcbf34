package dev.posthorn.benchmarks;

import dev.posthorn.transport.Bus;
import java.util.List;

/** A transport and how to compare it with its broker's own client. */
interface BrokerKind {

    /** As in {@code --kind}. */
    String name();

    /** What the relay must reach of the broker's own client; 0 if nothing is promised. */
    double promised();

    /** Starts the broker; it ends with what is returned. */
    RunningBroker start();

    /** A private broker for one benchmark. */
    interface RunningBroker extends AutoCloseable {

        Bus open(String prefix);

        /** Publishes with the broker's own client to where the transport of this prefix does. */
        PlainClient client(String prefix);

        /** Removes what was published under this prefix, so that no run works beside the leavings of another. */
        void clear(String prefix);

        @Override
        void close();
    }

    static List<BrokerKind> all() {
        return List.of(
                new MemoryKind(),
                new IpcKind(),
                new RabbitMqKind(),
                new KafkaKind(),
                new RedisKind(),
                new SnsSqsKind(),
                new GooglePubSubKind(),
                new PostgresLogKind());
    }

    static BrokerKind named(String name) {
        return all().stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no kind \"" + name + "\"; --kind is one of "
                        + all().stream().map(BrokerKind::name).toList()));
    }
}
