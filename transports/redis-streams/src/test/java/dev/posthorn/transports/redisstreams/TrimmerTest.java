package dev.posthorn.transports.redisstreams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import io.lettuce.core.Consumer;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class TrimmerTest extends RedisTests {

    private static final int MANY = 2_000;
    /** Redis trims whole nodes, which have 100 entries unless set otherwise. */
    private static final int NODE = 100;

    @Test
    void whatAGroupHasNotReadStaysWhateverTheOthersDid() {
        publish(open(keeping(Duration.ofHours(1))), events(MANY));
        read("fast", MANY, true);
        admin.xgroupCreate(StreamOffset.from(stream(), "0"), "slow");

        long trimmed = trim(Duration.ZERO);

        assertThat(trimmed).isZero();
        assertThat(admin.xlen(stream())).isEqualTo(MANY);
    }

    @Test
    void whatAGroupHasReadButNotAcknowledgedStays() {
        publish(open(keeping(Duration.ofHours(1))), events(MANY));
        List<StreamMessage<String, byte[]>> read = read("slow", MANY, false);
        acknowledge("slow", read.subList(0, 500));
        acknowledge("slow", read.subList(501, MANY));

        long trimmed = trim(Duration.ZERO);

        assertThat(trimmed).isBetween(500L - NODE, 500L);
        assertThat(admin.xrange(stream(), Range.unbounded()))
                .extracting(StreamMessage::getId)
                .contains(read.get(500).getId());
    }

    @Test
    void whatAllGroupsHaveAcknowledgedGoesWhenItIsOldEnough() {
        publish(open(keeping(Duration.ofHours(1))), events(MANY));
        read("one", MANY, true);
        read("two", MANY, true);

        long tooYoung = trim(Duration.ofHours(1));
        long trimmed = trim(Duration.ZERO);

        assertThat(tooYoung).isZero();
        assertThat(trimmed).isBetween((long) MANY - NODE, (long) MANY);
    }

    @Test
    void withoutAGroupTheRetentionAloneCounts() {
        publish(open(keeping(Duration.ofHours(1))), events(MANY));

        long tooYoung = trim(Duration.ofHours(1));
        Await.until("the last one to be a millisecond old", () -> trim(Duration.ZERO) >= MANY - NODE);

        assertThat(tooYoung).isZero();
    }

    @Test
    void aTransportTrimsByItselfAndItsSubscribersMissNothing() {
        RedisStreamsTransport transport = open(keeping(Duration.ZERO));
        Inbound billing = new Inbound();
        Inbound audit = new Inbound();
        transport.subscribe(BILLING, billing);
        Subscription second = transport.subscribe(Subscriber.named("audit").domains("orders"), audit);
        List<Event> events = events(MANY);

        for (int from = 0; from < MANY; from += 200) {
            publish(transport, events.subList(from, from + 200));
        }

        billing.await(MANY);
        audit.await(MANY);
        assertThat(billing.first()).hasSize(MANY);
        assertThat(audit.first()).hasSize(MANY);
        Await.until(() -> admin.xlen(stream()) + " entries are left", () -> admin.xlen(stream()) <= 2 * NODE);
        assertThat(second.status().trouble()).isEmpty();
    }

    @Test
    void ofSeveralTransportsOneTrimsEachTime() {
        RedisStreamsConfig config = single();
        Connector connector = closing(new Connector(config.uri(), config.client(), Duration.ofSeconds(10)));
        StreamNames names = new StreamNames(config.names(), 1);
        admin.set(names.trimLease(), new byte[] {1});
        admin.hset(names.registry(), stream(), Link.bytes("orders"));
        admin.xadd(stream(), "a", new byte[0]);

        long trimmed =
                closing(new Trimmer(connector, keeping(Duration.ZERO), names)).runOnce();

        assertThat(trimmed).isZero();
        assertThat(admin.xlen(stream())).isEqualTo(1);
    }

    private RedisStreamsConfig keeping(Duration retention) {
        return single().timing(new RedisStreamsConfig.Timing(
                Duration.ofSeconds(5), Duration.ofSeconds(2), retention, Duration.ofMillis(50)));
    }

    private long trim(Duration retention) {
        RedisStreamsConfig config = keeping(retention);
        try (Connector connector = new Connector(config.uri(), config.client(), Duration.ofSeconds(10));
                Link link = connector.connect().join();
                Trimmer trimmer = new Trimmer(connector, config, new StreamNames(config.names(), 1))) {
            return trimmer.trimAll(link);
        }
    }

    @SuppressWarnings("unchecked") // the generic array of a variable number of streams
    private List<StreamMessage<String, byte[]>> read(String group, int count, boolean acknowledging) {
        admin.xgroupCreate(StreamOffset.from(stream(), "0"), group);
        List<StreamMessage<String, byte[]>> read = admin.xreadgroup(
                Consumer.from(group, "one"), XReadArgs.Builder.count(count), StreamOffset.lastConsumed(stream()));
        if (acknowledging) {
            acknowledge(group, read);
        }
        return read;
    }

    private void acknowledge(String group, List<StreamMessage<String, byte[]>> entries) {
        admin.xack(stream(), group, entries.stream().map(StreamMessage::getId).toArray(String[]::new));
    }
}
