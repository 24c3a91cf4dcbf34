package dev.posthorn.transports.rabbitmq;

import static dev.posthorn.transports.rabbitmq.Town.event;
import static dev.posthorn.transports.rabbitmq.Town.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong with RabbitMQ when it is consumed from as if it were simple. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ConsumingTrapsTest {

    private static final long HANDLING = TimeUnit.MILLISECONDS.toNanos(8);

    private static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    private final Town town = new Town();

    @AfterEach
    void close() {
        town.close();
    }

    @Test
    void aStarWithinAWordNeverMatchesOnTheBroker() {
        boolean routed = RabbitMq.asAdmin(channel -> {
            AtomicBoolean returned = new AtomicBoolean();
            channel.exchangeDeclare(town.named("events"), BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(town.named("inventory"), true, false, false, null);
            channel.queueBind(town.named("inventory"), town.named("events"), "stock_*.*");
            channel.confirmSelect();
            channel.addReturnListener(back -> returned.set(true));
            channel.basicPublish(
                    town.named("events"), "stock_adjustment.posted", true, MessageProperties.BASIC, new byte[1]);
            channel.waitForConfirms(10_000);
            return !returned.get();
        });

        assertThat(routed).isFalse();
    }

    @Test
    void aDomainOrTypeWithDotsIsFilteredExactly() {
        RabbitMqTransport transport = town.transport();
        Inbound eu = new Inbound();
        Inbound plain = new Inbound();
        Inbound typed = new Inbound();
        town.closing(transport.subscribe(Subscriber.named("eu").domains("eu.orders"), eu));
        town.closing(transport.subscribe(Subscriber.named("plain").domains("eu"), plain));
        town.closing(transport.subscribe(Subscriber.named("typed").types("order.placed"), typed));
        Event first = Event.of("eu.orders", "order.placed").build();
        Event second = Event.of("eu", "orders.order.placed").build();

        assertThat(outcomes(transport, List.of(first, second))).containsOnly(Outcome.accepted());

        eu.await(1);
        plain.await(1);
        typed.await(1);
        assertThat(eu.events()).containsExactly(first);
        assertThat(plain.events()).containsExactly(second);
        assertThat(typed.events()).containsExactly(first);
    }

    @Test
    void aRetryIsNotPutBackSoThereIsNoHotLoop() {
        RabbitMqTransport transport = town.transport();
        Inbound inbound = new Inbound(delivery -> Verdict.retry(Duration.ofMillis(300)));
        Subscription subscription = town.closing(transport.subscribe(BILLING, inbound));

        long start = System.nanoTime();
        outcomes(transport, List.of(event("orders", "k")));
        inbound.await(4);

        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
        assertThat(inbound.all().stream().map(Inbound.Got::attempt).limit(4)).containsExactly(1, 2, 3, 4);
        assertThat(subscription.status().unsettled()).isEqualTo(1);
        subscription.close();
        Inbound later = new Inbound();
        town.closing(transport.subscribe(BILLING, later));
        later.await(1);
        assertThat(later.all().get(0).deliveries()).as("by the broker's count").isEqualTo(2);
        assertThat(later.all().get(0).attempt()).isEqualTo(1);
    }

    @Test
    void aDeliveryToAMemberThatLeavesIsNoAttempt() {
        RabbitMqTransport transport = town.transport();
        for (int i = 0; i < 3; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            Subscription leaving = transport.subscribe(BILLING.drainTime(Duration.ZERO), delivery -> begun.countDown());
            if (i == 0) {
                outcomes(transport, List.of(event("orders", "k")));
            }
            Await.until("it to be begun", () -> begun.getCount() == 0);
            leaving.close();
        }
        Inbound last = new Inbound();

        town.closing(transport.subscribe(BILLING, last));

        last.await(1);
        assertThat(last.all().get(0).attempt()).isEqualTo(1);
        assertThat(last.all().get(0).deliveries()).isEqualTo(4);
    }

    @Test
    void whatIsDeliveredTooOftenGoesToTheDeadLettersAndIsNotDropped() {
        Event poison = event("orders", "k");
        for (int i = 0; i < 3; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            RabbitMqTransport transport =
                    town.transport(User.ADMIN, config -> config.queues(Queues.STANDARD.deliveryLimit(1)));
            Subscription dying = transport.subscribe(BILLING.drainTime(Duration.ZERO), delivery -> begun.countDown());
            if (i == 0) {
                outcomes(transport, List.of(poison));
            }
            if (i < 2) {
                Await.until("it to be begun", () -> begun.getCount() == 0);
            }
            dying.close();
        }

        Await.until(
                "the dead letter",
                () -> RabbitMq.peek(town.named("billing.dlq")).size() == 1);
        GetResponse dead = RabbitMq.peek(town.named("billing.dlq")).get(0);
        assertThat(dead.getBody()).isEqualTo(poison.payloadBytes());
        assertThat(String.valueOf(dead.getProps().getHeaders().get("x-death"))).contains("delivery_limit");
    }

    @Test
    void theQueuesKeepMessagesUntilTheDeadLettersHaveThem() {
        Map<String, Object> arguments = Queues.STANDARD.arguments("dlx", "q.dlq");

        assertThat(arguments)
                .containsEntry("x-queue-type", "quorum")
                .containsEntry("x-dead-letter-exchange", "dlx")
                .containsEntry("x-dead-letter-routing-key", "q.dlq")
                .containsEntry("x-dead-letter-strategy", "at-least-once")
                .containsEntry("x-overflow", "reject-publish")
                .containsEntry("x-single-active-consumer", true)
                .containsKey("x-delivery-limit");
    }

    @Test
    void aDeadLetterHasItsBodyItsHeadersAndTheReason() {
        RabbitMqTransport transport = town.transport();
        Event event = Event.of("orders", "Placed")
                .key("k")
                .headers(Map.of("mine", "1"))
                .json("{}")
                .build();
        Inbound inbound = new Inbound(delivery -> Verdict.reject("no such customer"));
        town.closing(transport.subscribe(BILLING, inbound));

        outcomes(transport, List.of(event));

        Await.until(
                "the dead letter",
                () -> RabbitMq.peek(town.named("billing.dlq")).size() == 1);
        GetResponse dead = RabbitMq.peek(town.named("billing.dlq")).get(0);
        assertThat(dead.getBody()).isEqualTo(event.payloadBytes());
        assertThat(dead.getEnvelope().getExchange()).isEqualTo(town.named("events.dlx"));
        assertThat(EventProperties.textOf(dead.getProps().getHeaders()))
                .containsEntry("mine", "1")
                .containsEntry("posthorn-id", event.id().toString())
                .containsEntry(DeadLetterChannel.REASON, "no such customer")
                .containsKeys(DeadLetterChannel.QUEUE, DeadLetterChannel.ROUTING_KEY);
    }

    @Test
    void aRejectedMessageWithoutRoomForTheReasonIsADeadLetterAllTheSame() {
        RabbitMqTransport transport = town.transport();
        town.closing(transport.subscribe(BILLING, new Inbound()));
        BasicProperties full = new BasicProperties.Builder()
                .headers(Map.of("h", "x".repeat(130_000)))
                .build();

        RabbitMq.asAdmin(channel -> {
            channel.basicPublish(town.named("events"), "orders.foreign", full, new byte[] {7});
            return true;
        });

        Await.until(
                "the dead letter",
                () -> RabbitMq.peek(town.named("billing.dlq")).size() == 1);
        assertThat(RabbitMq.peek(town.named("billing.dlq")).get(0).getBody()).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource(Queues.Type.class)
    void membersThatComeAndGoKeepTheOrderOfEachKeyAndRepeatNothing(Queues.Type type) {
        List<Event> events = Town.events(4_000, 40);
        Inbound all = new Inbound(delivery -> {
            LockSupport.parkNanos(HANDLING); // so that there is something to share when the second comes
            return Verdict.done();
        });
        RabbitMqTransport transport = town.transport(User.ADMIN, config -> config.queues(Queues.STANDARD.type(type)));
        Subscription first = town.closing(transport.subscribe(BILLING, all));
        PatientPublisher publisher = town.closing(new PatientPublisher(transport.publisher()));

        publisher.publish(events);
        Subscription second = town.closing(transport.subscribe(BILLING, all));
        Await.until(
                () -> "the second to share: " + second.status(),
                () -> second.status().totals().done() > 0);
        Subscription third = town.closing(transport.subscribe(BILLING, all));
        first.close();
        Await.until(() -> "half to arrive, so far " + all.count(), () -> all.count() > 2_000);
        second.close();

        Await.within(
                Duration.ofMinutes(1),
                () -> "all to arrive, so far " + all.count() + ", " + third.status(),
                () -> all.first().size() == 4_000);
        assertThat(all.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(all.count()).as("with repeats").isEqualTo(4_000);
    }

    @Test
    void aQueueThatIsDeletedIsMadeAgain() {
        RabbitMqTransport transport = town.transport();
        Inbound inbound = new Inbound();
        Subscription subscription = town.closing(transport.subscribe(BILLING, inbound));

        RabbitMq.asAdmin(channel -> channel.queueDelete(town.named("billing.2")));

        PatientPublisher publisher = town.closing(new PatientPublisher(transport.publisher()));
        publisher.publish(Town.events(50, 50));
        Await.until(() -> publisher.left() + " left, " + subscription.status(), () -> publisher.left() == 0);
        Await.until(() -> inbound.count() + " arrived", () -> inbound.first().size() == 50);
    }

    @Test
    void aQueueThatTheApplicationDeclaredStaysAsItDeclaredIt() {
        String queue = town.named("orders.consumer");
        RabbitMq.asAdmin(channel -> channel.queueDeclare(queue, true, false, false, Map.of()));
        RabbitMqTransport transport = town.transport(
                User.ADMIN,
                config -> config.named(new NameSettings(
                        Map.of(NameSettings.SUBSCRIBERS, queue, NameSettings.ROUTING_KEY, "{domain}.{event_type}"))));
        Inbound inbound = new Inbound();

        Subscription subscription = town.closing(transport.subscribe(BILLING, inbound));
        assertThat(outcomes(transport, List.of(event("orders", "k")))).containsExactly(Outcome.accepted());

        inbound.await(1);
        assertThat(subscription.status().trouble()).isEmpty();
        RabbitMq.asAdmin(channel -> channel.queueDeclare(queue, true, false, false, Map.of()));
    }

    @Test
    void aQueueOfOtherKindIsUsedAsItIs() {
        town.closing(town.transport().subscribe(BILLING, new Inbound())).close();
        RabbitMqTransport classic =
                town.transport(User.ADMIN, config -> config.queues(Queues.STANDARD.type(Queues.Type.CLASSIC)));
        Inbound inbound = new Inbound();

        Subscription subscription = town.closing(classic.subscribe(BILLING, inbound));
        assertThat(outcomes(classic, List.of(event("orders", "k")))).containsExactly(Outcome.accepted());

        inbound.await(1);
        assertThat(subscription.status().trouble()).isEmpty();
    }

    /** AMQP knows no way to extend that time, which is half an hour unless the broker is told otherwise. */
    @Test
    void aHandlerSlowerThanTheBrokersConsumerTimeoutIsRunAgainButNotTwiceAtOnce() {
        environment("consumer_timeout", "1000");
        environment("channel_tick_interval", "500");
        try {
            RabbitMqTransport transport = town.transport();
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            CountDownLatch again = new CountDownLatch(1);
            Inbound inbound = new Inbound(delivery -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                if (delivery.attempt() == 1) {
                    Await.until("the broker to lose patience", () -> again.getCount() == 0);
                }
                running.decrementAndGet();
                return Verdict.done();
            });
            Subscription subscription = town.closing(transport.subscribe(BILLING, inbound));
            outcomes(transport, List.of(event("orders", "k")));
            inbound.await(1);

            Await.until(
                    () -> "the trouble to be told: " + subscription.status(),
                    () -> subscription.status().trouble().orElse("").contains("timed out"));
            again.countDown();

            inbound.await(2);
            assertThat(most).hasValue(1);
            Await.until(
                    () -> "it to be settled: " + subscription.status(),
                    () -> subscription.status().unsettled() == 0);
        } finally {
            environment("consumer_timeout", "1800000");
            environment("channel_tick_interval", "60000");
        }
    }

    private static void environment(String name, String value) {
        RabbitMq.shared().control("eval", "application:set_env(rabbit, " + name + ", " + value + ").");
    }
}
