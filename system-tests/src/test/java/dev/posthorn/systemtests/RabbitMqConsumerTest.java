package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

class RabbitMqConsumerTest extends ConsumerOnBroker {

    @Override
    ConsumedBroker startBroker() {
        return new OwnRabbitMq(Brokers.orSkip(EmbeddedRabbitMq::start));
    }

    private record OwnRabbitMq(EmbeddedRabbitMq broker) implements ConsumedBroker {

        @Override
        public String address() {
            return "rabbitmq " + broker.host() + ":" + broker.port();
        }

        @Override
        public List<Letter> deadLetters(String subscriber, String domain) {
            String queue = ConsumedBus.PREFIX + "." + subscriber + ".dlq";
            return with(channel -> {
                List<Letter> letters = new ArrayList<>();
                for (GetResponse one = channel.basicGet(queue, false);
                        one != null;
                        one = channel.basicGet(queue, false)) {
                    Map<String, Object> headers = one.getProps().getHeaders();
                    letters.add(new Letter(
                            String.valueOf(headers.get("posthorn-id")),
                            String.valueOf(headers.get("posthorn-dead-reason")),
                            ByteBuffer.wrap(one.getBody())));
                }
                return letters;
            });
        }

        @Override
        public void inject(String domain, byte[] bytes) {
            boolean confirmed = with(channel -> {
                channel.confirmSelect();
                channel.basicPublish(
                        ConsumedBus.PREFIX + ".events", domain + ".hostile", MessageProperties.PERSISTENT_BASIC, bytes);
                try {
                    return channel.waitForConfirms();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(confirmed).isTrue();
        }

        private interface Work<R> {
            R with(Channel channel) throws IOException;
        }

        private <R> R with(Work<R> work) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setHost(broker.host());
            factory.setPort(broker.port());
            factory.setUsername(User.ADMIN.name());
            factory.setPassword(User.ADMIN.password());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                return work.with(channel);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            broker.close();
        }
    }
}
