package dev.posthorn.transports.redisstreams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import io.lettuce.core.Range;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What streams and groups are called, who makes them, and where subscribers begin. */
@Tag("slow")
class NamingTest extends RedisTests {

    @Test
    void withOneShardADomainIsAPlainStreamThatAnybodyCanRead() {
        Event event = event("k");

        publish(open(single()), List.of(event));

        var entry = admin.xrange(stream(), Range.unbounded()).get(0).getBody();
        assertThat(entry.get("posthorn-payload")).isEqualTo(event.payloadBytes());
        assertThat(new String(entry.get("posthorn-type"), UTF_8)).isEqualTo("Placed");
        assertThat(admin.hgetall(prefix + "-streams")).containsOnlyKeys(stream());
    }

    @Test
    void withSeveralShardsAKeyIsAlwaysInTheSame() {
        publish(open(redis.config(prefix)), events(100));

        List<Set<String>> keysOfEach = java.util.stream.IntStream.range(0, 8)
                .mapToObj(i -> admin.xrange(stream() + "-" + i, Range.unbounded()).stream()
                        .map(entry -> new String(entry.getBody().get("posthorn-key"), UTF_8))
                        .collect(java.util.stream.Collectors.toSet()))
                .toList();
        assertThat(keysOfEach.stream().mapToInt(Set::size).sum()).isEqualTo(10);
        assertThat(StreamNames.shardOf("key-1", 8)).isEqualTo((int) (crc32("key-1") % 8));
    }

    @Test
    void aStreamForEachTypeIsATemplateAway() {
        RedisStreamsConfig config = single().names(
                        Names.withPrefix(prefix).events("{prefix}-{type}").subscribers("{prefix}-{subscriber}"));
        RedisStreamsTransport transport = open(config);
        Inbound placed = new Inbound();
        Inbound orders = new Inbound();
        transport.subscribe(Subscriber.named("placed").types("order.placed"), placed);
        transport.subscribe(Subscriber.named("orders").domains("orders"), orders);
        List<Event> events = List.of(
                Event.of("orders", "order.placed").build(),
                Event.of("orders", "order.cancelled").build(),
                Event.of("stock", "stock.counted").build());

        publish(transport, events);

        placed.await(1);
        orders.await(2);
        assertThat(placed.events()).containsExactly(events.get(0));
        assertThat(orders.events()).containsExactlyInAnyOrder(events.get(0), events.get(1));
        assertThat(admin.hgetall(prefix + "-streams"))
                .containsOnlyKeys(prefix + "-order.placed", prefix + "-order.cancelled", prefix + "-stock.counted");
    }

    @Test
    void anEventThatLacksAPartOfTheNameIsRefused() {
        RedisStreamsConfig config = single().names(Names.withPrefix(prefix).events("{prefix}-{tenant}-{domain}"));

        Outcome outcome = outcome(open(config), event("k"));

        assertThat(outcome).isInstanceOf(Outcome.Refused.class).asString().contains("tenant");
    }

    @Test
    void aSubscriberOfAllDomainsFindsNewOnes() {
        RedisStreamsTransport transport = open(redis.config(prefix));
        Inbound all = new Inbound();
        transport.subscribe(Subscriber.named("audit"), all);
        List<Event> events = List.of(
                Event.of("orders", "Placed").build(),
                Event.of("brand-new", "Made").build());

        publish(transport, events);

        all.await(2);
        assertThat(all.events()).containsExactlyInAnyOrderElementsOf(events);
    }

    @Test
    void aNewSubscriberBeginsWithWhatIsKept() {
        RedisStreamsTransport transport = open(single());
        List<Event> before = events(5);
        publish(transport, before);
        Inbound late = new Inbound();

        transport.subscribe(BILLING, late);

        late.await(5);
        assertThat(late.first()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void aNewSubscriberBeginsWithNowIfAskedToAndMissesNothingLater() {
        RedisStreamsTransport transport = open(single().start(Start.NOW));
        publish(transport, List.of(event("before")));
        Inbound first = new Inbound();
        Subscription subscription = transport.subscribe(BILLING, first);
        publish(transport, List.of(event("after")));
        first.await(1);
        subscription.close();
        publish(transport, List.of(event("meanwhile")));
        Inbound second = new Inbound();

        transport.subscribe(BILLING, second);

        second.await(1);
        assertThat(first.events())
                .extracting(event -> event.key().orElseThrow())
                .containsExactly("after");
        assertThat(second.events())
                .extracting(event -> event.key().orElseThrow())
                .containsExactly("meanwhile");
    }

    @Test
    void whereNothingMayBeMadeWhatIsMissingIsNamed() {
        RedisStreamsTransport transport = open(single().provision(Provision.VERIFY));

        Outcome outcome = outcome(transport, event("k"));
        Inbound inbound = new Inbound();
        Subscription subscription = transport.subscribe(BILLING, inbound);

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class).asString().contains(stream());
        assertThat(subscription.status().trouble())
                .hasValueSatisfying(
                        trouble -> assertThat(trouble).contains(stream()).contains(group()));
        assertThat(admin.exists(stream())).isZero();

        admin.xgroupCreate(StreamOffset.from(stream(), "0"), group(), XGroupCreateArgs.Builder.mkstream());
        Event event = event("k");
        publish(transport, List.of(event));
        inbound.await(1);
        assertThat(inbound.events()).containsExactly(event);
        Await.until("the trouble to end", () -> subscription.status().trouble().isEmpty());
    }

    @Test
    void whereNothingIsLookedForItWorksIfItIsThere() {
        admin.xgroupCreate(StreamOffset.from(stream(), "0"), group(), XGroupCreateArgs.Builder.mkstream());
        RedisStreamsTransport transport = open(single().provision(Provision.OFF));
        Inbound inbound = new Inbound();
        transport.subscribe(BILLING, inbound);

        publish(transport, events(3));

        inbound.await(3);
    }

    @Test
    void anIllegalNameFailsAtStart() {
        assertThatThrownBy(() -> single().names(Names.withPrefix("p".repeat(600))))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("characters");
        assertThatThrownBy(() ->
                        open(single()).subscribe(Subscriber.named("x").domains("d".repeat(600)), new Inbound()))
                .isInstanceOf(PosthornException.class);
    }

    @Test
    void allFaultsOfAConfigurationAreReportedAtOnce() {
        assertThatThrownBy(() -> new RedisStreamsConfig(
                        single().uri(),
                        single().client(),
                        single().names(),
                        Provisioning.STANDARD,
                        Start.NOW,
                        0,
                        1L << 40,
                        new RedisStreamsConfig.Timing(
                                Duration.ZERO, Duration.ZERO, Duration.ofDays(-1), Duration.ZERO)))
                .isInstanceOf(PosthornException.class)
                .hasMessageContainingAll(
                        "shards", "maxMessageBytes", "timing.answer", "timing.lease", "timing.retention", "trimEvery");
    }

    @Test
    void credentialsAreNotInTextsAboutTheConfiguration() {
        RedisStreamsConfig config = RedisStreamsConfig.at("redis://user:p4ssword@localhost:6379/2");

        assertThat(config.toString()).contains("localhost:6379/2").doesNotContain("p4ssword");
        assertThatThrownBy(() -> RedisStreamsConfig.at("postgres://user:p4ssword@localhost"))
                .isInstanceOf(PosthornException.class)
                .hasMessageNotContaining("p4ssword")
                .hasNoCause();
    }

    private static long crc32(String text) {
        java.util.zip.CRC32 sum = new java.util.zip.CRC32();
        sum.update(text.getBytes(UTF_8));
        return sum.getValue();
    }
}
