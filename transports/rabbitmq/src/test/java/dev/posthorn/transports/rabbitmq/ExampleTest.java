package dev.posthorn.transports.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ExampleTest {

    private final List<Event> billed = new CopyOnWriteArrayList<>();

    @Test
    void theReadmesExampleRuns() {
        String uri = "amqp://" + User.ADMIN.name() + ":" + User.ADMIN.password() + "@"
                + RabbitMq.shared().host() + ":" + RabbitMq.shared().port();
        // docs:start:rabbitmq-example
        Bus bus = new RabbitMqTransport(RabbitMqConfig.of(Endpoint.parse(uri), "shop"));
        Subscription billing = bus.subscribe(Subscriber.named("billing").domains("orders"), delivery -> {
            bill(delivery.event());
            delivery.settle(Verdict.done());
        });
        // docs:end:rabbitmq-example
        try (bus;
                billing) {
            Event event = Event.of("orders", "Placed").key("4711").build();

            assertThat(Town.outcome(bus, event)).isEqualTo(Outcome.accepted());
            Await.until("the bill", () -> billed.contains(event));
        }
    }

    private void bill(Event event) {
        billed.add(event);
    }
}
