package dev.posthorn.transports.rabbitmq;

import static dev.posthorn.transports.rabbitmq.Town.event;
import static dev.posthorn.transports.rabbitmq.Town.outcome;
import static dev.posthorn.transports.rabbitmq.Town.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong with RabbitMQ when it is published to as if it were simple. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PublishingTrapsTest {

    private final Town town = new Town();

    @AfterEach
    void close() {
        town.close();
    }

    @Test
    void theBrokerReturnsAnUnroutableMessageFirstAndConfirmsItAfterwards() {
        List<String> said = new CopyOnWriteArrayList<>();

        RabbitMq.asAdmin(channel -> {
            channel.exchangeDeclare(town.named("events"), BuiltinExchangeType.TOPIC, true);
            channel.confirmSelect();
            channel.addReturnListener(returned -> said.add("returned"));
            channel.addConfirmListener((tag, multiple) -> said.add("ack"), (tag, multiple) -> said.add("nack"));
            channel.basicPublish(town.named("events"), "a.b", true, MessageProperties.PERSISTENT_BASIC, new byte[1]);
            return channel.waitForConfirms(10_000);
        });

        Await.until(() -> "both to be said, but only " + said, () -> said.size() == 2);
        assertThat(said).containsExactly("returned", "ack");
    }

    @Test
    void ofABatchExactlyTheUnroutableOnesFail() {
        RabbitMqTransport transport = town.transport();
        town.closing(transport.subscribe(Subscriber.named("billing").domains("orders"), new Inbound()));
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            events.add(event(i % 3 == 0 ? "nobody" : "orders", "k" + i));
        }

        List<Outcome> outcomes = outcomes(transport, events);

        for (int i = 0; i < 300; i++) {
            assertThat(outcomes.get(i))
                    .as("outcome %s", i)
                    .isInstanceOf(i % 3 == 0 ? Outcome.Failed.class : Outcome.Accepted.class);
        }
    }

    @Test
    void whatAQueueDoesNotTakeIsUnknownBecauseANackNamesNoReason() {
        RabbitMqTransport transport = town.transport();
        RabbitMq.asAdmin(channel -> {
            channel.exchangeDeclare(town.named("events"), BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(
                    town.named("full"), true, false, false, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
            channel.queueBind(town.named("full"), town.named("events"), "#");
            return true;
        });

        List<Outcome> outcomes = outcomes(transport, Town.events(20, 20));

        assertThat(outcomes.get(0)).isEqualTo(Outcome.accepted());
        assertThat(outcomes.get(19)).isInstanceOf(Outcome.Unknown.class);
        assertThat(outcomes.get(19).toString()).contains("did not take it");
    }

    /** Had the client library counted the first, every later confirm would be taken for the message before. */
    @Test
    void headersThatAmqpCanNotCarryAreRefusedAndTheConfirmsOfOthersStayTheirOwn() {
        RabbitMqTransport transport = town.transport();
        town.closing(transport.subscribe(Subscriber.named("billing").domains("orders"), new Inbound()));
        Event longName = Event.of("orders", "Placed")
                .headers(Map.of("n".repeat(300), "v"))
                .build();
        Event large = Event.of("orders", "Placed")
                .tenant("漢".repeat(1_000))
                .correlationId("漢".repeat(1_000))
                .causationId("漢".repeat(1_000))
                .headers(Map.of("group-id", "漢".repeat(32_760)))
                .build();
        List<Event> events = List.of(longName, large, event("orders", "a"), event("nobody", "b"), event("orders", "c"));

        List<Outcome> outcomes = outcomes(transport, events);

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(1)).as("the largest that an event can have").isEqualTo(Outcome.accepted());
        assertThat(outcomes.get(2)).isEqualTo(Outcome.accepted());
        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Failed.class);
        assertThat(outcomes.get(4)).isEqualTo(Outcome.accepted());
    }

    @Test
    void aRoutingKeyThatIsTooLongIsRefused() {
        Event event = Event.of("d".repeat(200), "t".repeat(200)).build();

        assertThat(outcome(town.transport(), event)).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void aMessageOverTheBrokersOwnLimitIsRefusedAndThePublisherGoesOn() {
        RabbitMqTransport transport =
                town.transport(User.ADMIN, config -> config.limits(new RabbitMqConfig.Limits(10, 64 << 20)));
        town.closing(transport.subscribe(Subscriber.named("billing").domains("orders"), new Inbound()));
        Event huge = Event.of("orders", "Placed")
                .payload(new byte[24 << 20], "application/octet-stream")
                .build();
        try (Publisher publisher = transport.publisher()) {
            List<Outcome> outcomes = outcomes(publisher, List.of(huge));

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Refused.class);
            assertThat(outcomes.get(0).toString()).contains("message size");
            PatientPublisher patient = new PatientPublisher(publisher);
            patient.publish(List.of(event("orders", "a")));
            Await.until("the next to be accepted", () -> patient.left() == 0);
            patient.close();
        }
    }

    @Test
    void aMissingExchangeIsUnavailableAndNamed() {
        RabbitMqTransport verifying = town.transport(User.ADMIN, config -> config.provision(Provision.VERIFY));
        RabbitMqTransport trusting = town.transport(User.ADMIN, config -> config.provision(Provision.OFF));

        Outcome verified = outcome(verifying, event("orders", "k"));
        Outcome trusted = outcome(trusting, event("orders", "k"));

        assertThat(verified).isInstanceOf(Outcome.Unavailable.class);
        assertThat(verified.toString()).contains("the exchange " + town.named("events") + " is missing");
        assertThat(trusted).isInstanceOf(Outcome.Unavailable.class);
        assertThat(trusted.toString()).contains("no exchange '" + town.named("events") + "'");
    }

    @Test
    void anExchangeThatDisappearsIsMadeAgain() {
        RabbitMqTransport transport = town.transport(User.ADMIN, config -> config.unroutable(Unroutable.ACCEPT));
        Publisher publisher = town.closing(transport.publisher());
        assertThat(outcomes(publisher, Town.events(1, 1))).containsExactly(Outcome.accepted());

        RabbitMq.asAdmin(channel -> channel.exchangeDelete(town.named("events")));

        PatientPublisher patient = town.closing(new PatientPublisher(publisher));
        patient.publish(Town.events(50, 10));
        Await.until(() -> patient.left() + " left", () -> patient.left() == 0);
        assertThat(patient.answers(Outcome.Failed.class) + patient.answers(Outcome.Refused.class))
                .isZero();
    }

    @Test
    void aWrongPasswordIsUnavailableAndNowhereToBeSeen() {
        User wrong = new User(User.ADMIN.name(), "wr0ng-s3cret", "", "", "");
        RabbitMqTransport transport = town.transport(wrong, config -> config);

        Outcome outcome = outcome(transport, event("orders", "k"));
        var subscription = town.closing(transport.subscribe(Subscriber.named("billing"), new Inbound()));

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        assertThat(outcome.toString()).contains("ACCESS_REFUSED").doesNotContain("wr0ng-s3cret");
        assertThat(subscription.status().trouble())
                .hasValueSatisfying(trouble ->
                        assertThat(trouble).contains("ACCESS_REFUSED").doesNotContain("wr0ng-s3cret"));
    }

    @Test
    void aMissingVirtualHostIsUnavailable() {
        RabbitMqTransport transport = town.transport(
                User.ADMIN, config -> config.endpoint(config.endpoint().virtualHost("nowhere")));

        Outcome outcome = outcome(transport, event("orders", "k"));

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        assertThat(outcome.toString()).contains("vhost nowhere");
    }

    @Test
    void aBrokerThatIsOutOfMemoryIsUnavailableAndTakesEverythingAfterwards() {
        RabbitMqTransport transport = town.transport();
        Inbound inbound = new Inbound();
        town.closing(transport.subscribe(Subscriber.named("billing").domains("orders"), inbound));
        Publisher publisher = town.closing(transport.publisher());
        assertThat(outcomes(publisher, Town.events(1, 1))).containsExactly(Outcome.accepted());
        PatientPublisher patient = town.closing(new PatientPublisher(publisher));

        RabbitMq.shared().control("set_vm_memory_high_watermark", "absolute", "1");
        try {
            patient.publish(Town.events(100, 10));
            Await.until("the broker to be unavailable", () -> patient.answers(Outcome.Unavailable.class) > 0);
        } finally {
            RabbitMq.shared().control("set_vm_memory_high_watermark", "absolute", "512MB");
        }

        Await.until(() -> patient.left() + " left", () -> patient.left() == 0);
        assertThat(patient.answers(Outcome.Failed.class)).isZero();
        Await.until("all to arrive", () -> inbound.first().size() == 101);
    }

    @Test
    void aPublisherWhoseSocketIsFullSettlesEverythingAndClosesInTime() {
        RabbitMqTransport transport =
                town.transport(User.ADMIN, config -> config.timeouts(Timeouts.STANDARD.answer(Duration.ofSeconds(2))));
        Publisher publisher = town.closing(transport.publisher());
        outcomes(publisher, Town.events(1, 1));
        List<Event> large = IntStream.range(0, 64)
                .mapToObj(i -> Event.of("orders", "Placed")
                        .payload(new byte[1 << 20], "application/octet-stream")
                        .build())
                .toList();

        RabbitMq.shared().freeze();
        try {
            List<Outcome> outcomes = outcomes(publisher, large);
            long start = System.nanoTime();
            publisher.close();

            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Unknown.class);
            assertThat(outcomes.get(63)).isInstanceOf(Outcome.Unavailable.class);
        } finally {
            RabbitMq.shared().thaw();
        }
    }

    @Test
    void aMessageIsPersistentAndCarriesItsIdAndTheSevenHeaders() {
        RabbitMqTransport transport = town.transport();
        RabbitMq.asAdmin(channel -> {
            channel.exchangeDeclare(town.named("events"), BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(town.named("tap"), true, false, false, null);
            return channel.queueBind(town.named("tap"), town.named("events"), "#");
        });
        Event full = Event.of("orders", "created")
                .aggregate("order", "o-1")
                .headers(Map.of("group-id", "g-1", "subsidiary-id", "s-1", "CC", "x"))
                .build();
        Event tenant = Event.of("orders", "created").tenant("g-2").build();

        assertThat(outcomes(transport, List.of(full, tenant))).containsOnly(Outcome.accepted());

        List<GetResponse> got = RabbitMq.peek(town.named("tap"));
        AMQP.BasicProperties properties = got.get(0).getProps();
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getMessageId()).isEqualTo(full.id().toString());
        Map<String, String> headers = EventProperties.textOf(properties.getHeaders());
        assertThat(headers)
                .containsEntry("x-event-id", full.id().toString())
                .containsEntry("x-aggregate-type", "order")
                .containsEntry("x-aggregate-id", "o-1")
                .containsEntry("x-group-id", "g-1")
                .containsEntry("x-subsidiary-id", "s-1")
                .containsEntry("x-event-type", "created")
                .containsEntry("x-attempts", "1")
                .doesNotContainKey("CC");
        assertThat(EventProperties.textOf(got.get(1).getProps().getHeaders()))
                .containsEntry("x-group-id", "g-2")
                .doesNotContainKeys("x-subsidiary-id", "x-aggregate-type", "x-aggregate-id");
    }
}
