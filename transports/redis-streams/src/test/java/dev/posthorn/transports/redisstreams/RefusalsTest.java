package dev.posthorn.transports.redisstreams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs.StreamOffset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is Redis's fault is not the event's: nothing here may be failed or refused. */
@Tag("slow")
class RefusalsTest extends RedisTests {

    @Test
    void fullMemoryIsUnavailableAndReceivingGoesOn() {
        RedisStreamsTransport transport = open(single());
        CountDownLatch go = new CountDownLatch(1);
        Inbound inbound = new Inbound(delivery -> {
            Await.until("the memory to be full", () -> go.getCount() == 0);
            return Verdict.done();
        });
        Subscription subscription = transport.subscribe(BILLING.prefetch(1), inbound);
        publish(transport, events(30));
        inbound.await(1);
        admin.configSet("maxmemory", "1");
        try {
            Outcome refused = outcome(transport, event("k"));
            go.countDown();

            inbound.await(30);
            Await.until("all to be done", () -> subscription.status().totals().done() == 30);
            long start = System.nanoTime();
            Await.until(
                    "two leases to pass",
                    () -> System.nanoTime() - start
                            > 2 * TestRedis.TIMING.lease().toNanos());
            assertThat(refused)
                    .isInstanceOf(Outcome.Unavailable.class)
                    .asString()
                    .contains("OOM");
            assertThat(subscription.status().trouble()).isEmpty();
        } finally {
            admin.configSet("maxmemory", "0");
        }

        assertThat(outcome(transport, event("k"))).isEqualTo(Outcome.accepted());
        inbound.await(31);
    }

    @Test
    void aReplicaIsUnavailable() {
        RedisStreamsTransport transport = open(single());
        publish(transport, List.of(event("k")));
        admin.replicaof("127.0.0.1", 1);
        try {
            assertThat(outcome(transport, event("k")))
                    .isInstanceOf(Outcome.Unavailable.class)
                    .asString()
                    .containsAnyOf("READONLY", "MASTERDOWN");
        } finally {
            admin.replicaofNoOne();
        }
        publish(transport, List.of(event("k")));
    }

    @Test
    void aKeyOfAnotherTypeIsUnavailableAndNamed() {
        RedisStreamsTransport transport = open(single());
        admin.set(stream(), "text".getBytes(UTF_8));

        Outcome outcome = outcome(transport, event("k"));
        Subscription subscription = transport.subscribe(BILLING, new Inbound());

        assertThat(outcome)
                .isInstanceOf(Outcome.Unavailable.class)
                .asString()
                .contains("WRONGTYPE")
                .contains(stream());
        assertThat(subscription.status().trouble())
                .hasValueSatisfying(trouble -> assertThat(trouble).contains("WRONGTYPE"));
    }

    @Test
    void aWrongPasswordIsUnavailableAndStaysSecret() {
        String wrong = "not-the-s3cret";
        RedisStreamsConfig config = new RedisStreamsConfig(
                redis.uri(TestRedis.USER, wrong),
                single().client(),
                single().names(),
                single().provision(),
                single().start(),
                1,
                1 << 20,
                TestRedis.TIMING);
        RedisStreamsTransport transport = open(config);

        Outcome outcome = outcome(transport, event("k"));
        Subscription subscription = transport.subscribe(BILLING, new Inbound());

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class).asString().contains("WRONGPASS");
        assertThat(subscription.status().trouble())
                .hasValueSatisfying(trouble -> assertThat(trouble).contains("WRONGPASS"));
        assertThat(outcome + " " + subscription.status() + config + new IllegalStateException(config.toString()))
                .doesNotContain(wrong);
    }

    @Test
    void whatWasNotAnsweredIsNotSentAgainOnTheNextConnection() {
        RedisStreamsTransport transport = open(single().timing(quick()));
        Event before = event("before");
        publish(transport, List.of(before));
        Publisher publisher = closing(transport.publisher());
        TrackedPublication warm = new TrackedPublication(event("warm"), 1);
        publisher.publish(List.of(warm));
        assertThat(warm.awaitOutcome()).isEqualTo(Outcome.accepted());
        TrackedPublication silent = new TrackedPublication(event("silent"), 1);
        redis.server().freeze();
        publisher.publish(List.of(silent));

        Outcome outcome = silent.awaitOutcome();
        redis.server().kill(); // with it go the bytes that it had not read
        redis.server().startAgain();
        acceptedAtLast(publisher, "after");

        assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
        assertThat(keysIn(stream()))
                .startsWith("before", "warm")
                .contains("after")
                .doesNotContain("silent");
    }

    @Test
    void whatASlowServerAnswersTooLateIsThereOnce() {
        RedisStreamsTransport transport = open(single().timing(quick()));
        Publisher publisher = closing(transport.publisher());
        TrackedPublication first = new TrackedPublication(event("first"), 1);
        publisher.publish(List.of(first));
        assertThat(first.awaitOutcome()).isEqualTo(Outcome.accepted());
        TrackedPublication late = new TrackedPublication(event("late"), 1);
        redis.server().freeze();
        publisher.publish(List.of(late));
        Outcome outcome = late.awaitOutcome();

        redis.server().thaw();
        acceptedAtLast(publisher, "last");

        assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
        assertThat(late.settlements()).hasSize(1);
        assertThat(keysIn(stream()).stream().filter("late"::equals).count()).isLessThanOrEqualTo(1);
    }

    @Test
    void whatIsRejectedIsAcknowledgedOnlyWhenItsDeadLetterIsWritten() {
        RedisStreamsTransport transport = open(single());
        String letters = prefix + "-dlq-orders";
        admin.set(letters, "in the way".getBytes(UTF_8));
        Subscription subscription =
                transport.subscribe(BILLING, new Inbound(delivery -> Verdict.reject("never for us")));
        Event bad = event("k");
        publish(transport, List.of(bad));
        Await.until(
                () -> "trouble with the dead letters: " + subscription.status(),
                () -> subscription.status().trouble().orElse("").contains("WRONGTYPE"));
        assertThat(admin.xpending(stream(), group()).getCount()).isEqualTo(1);

        admin.del(letters);

        Await.until(
                "it to be acknowledged", () -> admin.xpending(stream(), group()).getCount() == 0);
        List<StreamMessage<String, byte[]>> dead = admin.xrange(letters, Range.unbounded());
        assertThat(dead).hasSize(1);
        Map<String, byte[]> fields = dead.get(0).getBody();
        assertThat(fields.get(Fields.PAYLOAD)).isEqualTo(bad.payloadBytes());
        assertThat(new String(fields.get("posthorn-id"), UTF_8))
                .isEqualTo(bad.id().toString());
        assertThat(new String(fields.get(Fields.DEAD_REASON), UTF_8)).isEqualTo("never for us");
        assertThat(new String(fields.get(Fields.DEAD_SUBSCRIBER), UTF_8)).isEqualTo("billing");
        assertThat(new String(fields.get(Fields.DEAD_STREAM), UTF_8)).isEqualTo(stream());
    }

    @Test
    void anEntryWithoutPayloadOrWithNonsenseForFieldsIsUndecodable() {
        RedisStreamsTransport transport = open(single());
        Inbound inbound = new Inbound();
        transport.subscribe(BILLING, inbound);
        publish(transport, List.of(event("k")));
        inbound.await(1);
        Map<String, byte[]> stripped = new java.util.HashMap<>(
                admin.xrange(stream(), Range.unbounded()).get(0).getBody());
        stripped.remove(Fields.PAYLOAD);

        admin.xadd(stream(), stripped);
        admin.xadd(stream(), Map.of("", new byte[] {(byte) 0xFF}));

        Await.until("both to be undecodable", () -> inbound.undecodable().size() == 2);
        assertThat(inbound.count()).isEqualTo(1);
    }

    @Test
    void theServersSettingsTellWhatCanBeLost() {
        Link link = closing(closing(new Connector(
                        io.lettuce.core.RedisURI.create(
                                redis.server().host(), redis.server().port()),
                        single().client(),
                        Duration.ofSeconds(10)))
                .connect()
                .join());
        String before = admin.configGet("appendfsync").get("appendfsync");
        admin.configSet("appendfsync", "always");
        admin.configSet("maxmemory", "100mb");
        admin.configSet("maxmemory-policy", "allkeys-lru");
        try {
            assertThat(ServerSettings.of(link).risks())
                    .singleElement()
                    .asString()
                    .contains("allkeys-lru");
        } finally {
            admin.configSet("maxmemory-policy", "noeviction");
            admin.configSet("maxmemory", "0");
        }
        assertThat(ServerSettings.of(link).risks()).isEmpty();
        admin.configSet("appendfsync", "everysec");
        assertThat(ServerSettings.of(link).risks()).singleElement().asString().contains("up to two seconds");
        admin.configSet("appendfsync", before);
        assertThat(new ServerSettings(Map.of("appendonly", "no")).risks())
                .singleElement()
                .asString()
                .contains("loses accepted events");
    }

    @Test
    void aServerThatDoesNotTellItsSettingsIsUsedAllTheSame() {
        Link link = closing(closing(new Connector(single().uri(), single().client(), Duration.ofSeconds(10)))
                .connect()
                .join());

        assertThat(ServerSettings.of(link).values()).isEmpty();
    }

    @Test
    void aGroupThatIsMadeByHandIsUsed() {
        RedisStreamsTransport transport = open(single());
        publish(transport, List.of(event("old")));
        admin.xgroupCreate(StreamOffset.from(stream(), "$"), group());
        Inbound inbound = new Inbound();

        transport.subscribe(BILLING, inbound);
        publish(transport, List.of(event("new")));

        inbound.await(1);
        assertThat(inbound.events())
                .extracting(event -> event.key().orElseThrow())
                .containsExactly("new");
    }

    /** Patience is short in these tests, and machines can be slow. */
    private static void acceptedAtLast(Publisher publisher, String key) {
        Await.until(key + " to be accepted", () -> {
            TrackedPublication publication = new TrackedPublication(event(key), 1);
            publisher.publish(List.of(publication));
            return publication.awaitOutcome().equals(Outcome.accepted());
        });
    }

    private static RedisStreamsConfig.Timing quick() {
        return new RedisStreamsConfig.Timing(
                Duration.ofMillis(800), Duration.ofSeconds(2), Duration.ofHours(1), Duration.ofMinutes(1));
    }

    private List<String> keysIn(String stream) {
        try (var fresh = redis.admin()) {
            return fresh.sync().xrange(stream, Range.unbounded()).stream()
                    .map(entry -> new String(entry.getBody().get("posthorn-key"), UTF_8))
                    .toList();
        }
    }
}
