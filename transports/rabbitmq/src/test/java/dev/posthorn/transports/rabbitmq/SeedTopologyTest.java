package dev.posthorn.transports.rabbitmq;

import static dev.posthorn.transports.rabbitmq.Town.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A grown topology, as found in a real design: keys by aggregate type, one queue each, patterns by hand. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SeedTopologyTest {

    private final Town town = new Town();

    // docs:start:rabbitmq-topology
    private final Routing routing = Routing.STANDARD
            .key("{aggregate-type}.{type}")
            .slotted(false)
            .bind("analytics.ingest", "#")
            .bind("erp.sync", "invoice.*", "payment_intent.*")
            .bind("inventory.reconcile", "stock_adjustment.*", "stock_transfer.*")
            .bind("pricing.refresh", "price_list.*", "price_rule.*")
            .bind("notifications", "order.*", "payment_intent.failed");
    // docs:end:rabbitmq-topology

    private final Event order = of("order", "created");
    private final Event paid = of("payment_intent", "captured");
    private final Event unpaid = of("payment_intent", "failed");
    private final Event stock = of("stock_adjustment", "posted");
    private final Event price = of("price_list", "changed");
    private final Event invoice = of("invoice", "issued");

    private static Event of(String aggregateType, String type) {
        return Event.of("holdco", type)
                .aggregate(aggregateType, "1")
                .key(aggregateType)
                .build();
    }

    private RabbitMqTransport transport() {
        return town.transport(User.ADMIN, config -> config.routing(routing).queues(Queues.STANDARD.shards(1)));
    }

    @AfterEach
    void close() {
        town.close();
    }

    @Test
    void eachOfTheFiveQueuesGetsWhatItIsBoundFor() {
        RabbitMqTransport transport = transport();
        Inbound analytics = inbound(transport, "analytics.ingest");
        Inbound erp = inbound(transport, "erp.sync");
        Inbound inventory = inbound(transport, "inventory.reconcile");
        Inbound pricing = inbound(transport, "pricing.refresh");
        Inbound notifications = inbound(transport, "notifications");

        List<Event> all = List.of(order, paid, unpaid, stock, price, invoice);
        assertThat(outcomes(transport, all)).containsOnly(Outcome.accepted());

        analytics.await(6);
        erp.await(3);
        notifications.await(2);
        inventory.await(1);
        pricing.await(1);
        assertThat(analytics.events()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(erp.events()).containsExactlyInAnyOrder(paid, unpaid, invoice);
        assertThat(inventory.events()).containsExactly(stock);
        assertThat(pricing.events()).containsExactly(price);
        assertThat(notifications.events()).containsExactlyInAnyOrder(order, unpaid);
    }

    private Inbound inbound(RabbitMqTransport transport, String name) {
        Inbound inbound = new Inbound();
        town.closing(transport.subscribe(Subscriber.named(name), inbound));
        return inbound;
    }

    @Test
    void deadLettersGoThroughTheDirectExchangeToTheQueuesOwnDlq() {
        RabbitMqTransport transport = transport();
        town.closing(transport.subscribe(Subscriber.named("erp.sync"), new Inbound(any -> Verdict.reject("closed"))));

        outcomes(transport, List.of(invoice));

        String dlq = town.named("erp.sync.dlq");
        Await.until("the dead letter", () -> RabbitMq.peek(dlq).size() == 1);
        GetResponse dead = RabbitMq.peek(dlq).get(0);
        assertThat(dead.getEnvelope().getExchange()).isEqualTo(town.named("events.dlx"));
        assertThat(dead.getEnvelope().getRoutingKey()).isEqualTo(dlq);
    }

    @Test
    void anEventWithoutAnAggregateTypeHasNoKeyAndIsRefused() {
        Event without = Event.of("holdco", "created").build();

        Outcome outcome = outcomes(transport(), List.of(without)).get(0);

        assertThat(outcome).isInstanceOf(Outcome.Refused.class);
        assertThat(outcome.toString()).contains("aggregate-type");
    }

    @Test
    void ofTwoMembersOneStandsByAndTakesOver() {
        RabbitMqTransport transport = transport();
        Inbound first = new Inbound();
        Inbound second = new Inbound();
        var active = town.closing(transport.subscribe(Subscriber.named("erp.sync"), first));
        town.closing(transport.subscribe(Subscriber.named("erp.sync"), second));

        outcomes(transport, List.of(invoice));
        first.await(1);
        active.close();
        outcomes(transport, List.of(paid));
        second.await(1);

        assertThat(first.events()).containsExactly(invoice);
        assertThat(second.events()).containsExactly(paid);
    }
}
