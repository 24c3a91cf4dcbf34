package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The real broker of these tests; one for all tests of this JVM, ended with it. */
final class RabbitMq {

    /** Beginnings of names in tests. */
    private static final String PREFIX = "^[tg][0-9a-f]{8}\\.";

    private static final String ANY_SUBSCRIBER = "[a-z0-9-]+";

    /** The README's accounts, for every prefix of a test and any subscriber. */
    static final User RELAY = new User("relay", "relay-secret", PREFIX + "events$", PREFIX + "events$", "^$");

    static final User SUBSCRIBER = new User(
            "subscriber",
            "subscriber-secret",
            PREFIX + "(events|events\\.dlx|" + ANY_SUBSCRIBER + "(\\.([0-9]+|dlq|members))?)$",
            PREFIX + "(events\\.dlx|(?!events$)" + ANY_SUBSCRIBER + "(\\.([0-9]+|dlq|members))?)$",
            PREFIX + "(events|events\\.dlx|" + ANY_SUBSCRIBER + "(\\.([0-9]+|members))?)$");

    /** The README's accounts where everything is provided by somebody else. */
    static final User PLAIN_RELAY = new User("plain-relay", "s", "^$", PREFIX + "events$", "^$");

    static final User PLAIN_SUBSCRIBER = new User(
            "plain-subscriber", "s", "^$", PREFIX + "events\\.dlx$", PREFIX + "billing(\\.([0-9]+|members))?$");

    private static Optional<EmbeddedRabbitMq> shared = Optional.empty();

    private RabbitMq() {}

    /** Started if need be. Where it is not installed the test is skipped, or fails with CI=true. */
    static synchronized EmbeddedRabbitMq shared() {
        if (shared.isEmpty()) {
            requireInstalled();
            EmbeddedRabbitMq broker = EmbeddedRabbitMq.start(
                    List.of(User.ADMIN, RELAY, SUBSCRIBER, PLAIN_RELAY, PLAIN_SUBSCRIBER),
                    List.of("max_message_size = 20000000"));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
            shared = Optional.of(broker);
        }
        return shared.get();
    }

    static void requireInstalled() {
        if (!EmbeddedRabbitMq.isInstalled()) {
            String why = "RabbitMQ is not installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("Nothing is tested with RabbitMQ: " + why);
            Assumptions.abort(why);
        }
    }

    static RabbitMqConfig config(String prefix, User user) {
        EmbeddedRabbitMq broker = shared();
        return RabbitMqConfig.of(endpoint(broker.host() + ":" + broker.port(), user), prefix);
    }

    static Endpoint endpoint(String address, User user) {
        return Endpoint.of(address, new Endpoint.Login(user.name(), user.password()));
    }

    /** Does something with the broker's own client, as an administrator. */
    static <T> T asAdmin(Work<T> work) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(shared().host());
        factory.setPort(shared().port());
        factory.setUsername(User.ADMIN.name());
        factory.setPassword(User.ADMIN.password());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            return work.with(channel);
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("the broker refused: " + Connector.reasonOf(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    interface Work<T> {
        T with(Channel channel) throws IOException, TimeoutException, InterruptedException;
    }

    /** What is in a queue now; it stays there. */
    static List<GetResponse> peek(String queue) {
        return asAdmin(channel -> {
            List<GetResponse> all = new ArrayList<>();
            for (GetResponse one = channel.basicGet(queue, false); one != null; one = channel.basicGet(queue, false)) {
                all.add(one);
            }
            return all;
        });
    }
}
