package dev.posthorn.spring;

import dev.posthorn.relay.RelayConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The relay in this process.
 *
 * @param enabled Whether this application publishes. If not, another process must: an instance with a relay, or posthorn relay.
 * @param name Unique among the relays of a route. Left out: made of host, process and chance.
 * @param leaseTtl How long a silent relay keeps its lanes. Too low: a pause costs duplicates. Too high: a crash stops its lanes.
 * @param batch How many events one read may bring per lane.
 * @param idlePoll How often an idle relay looks at the log; what is emitted here wakes it at once.
 * @param publishTimeout When an unanswered publish counts as unknown. Too low: duplicates. Too high: a lost answer holds its key.
 * @param memory How much memory the events may take that all relays of this application have read and not checkpointed.
 *     Default: a quarter of the heap.
 * @param drainTime How long stopping waits for what is under way.
 */
@ConfigurationProperties("posthorn.relay")
record PosthornRelayProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String name,
        @DefaultValue("15s") Duration leaseTtl,
        @DefaultValue("512") int batch,
        @DefaultValue("500ms") Duration idlePoll,
        @DefaultValue("30s") Duration publishTimeout,
        @Nullable DataSize memory,
        @DefaultValue("10s") Duration drainTime) {

    void check(List<String> faults) {
        PropertyReader read = new PropertyReader("posthorn.relay", faults);
        read.atLeast("lease-ttl", Duration.ofSeconds(1), leaseTtl);
        read.atLeast("batch", 1, batch);
        read.atLeast("idle-poll", Duration.ofMillis(1), idlePoll);
        read.atLeast("publish-timeout", Duration.ofMillis(1), publishTimeout);
        read.atLeast("drain-time", Duration.ZERO, drainTime);
        if (memory != null) {
            read.atLeast("memory", 1, memory.toBytes());
        }
    }

    /** The standard one if something is wrong, which {@link #check} names. */
    RelayConfig config() {
        List<String> faults = new ArrayList<>();
        check(faults);
        return faults.isEmpty() ? read() : RelayConfig.standard();
    }

    private RelayConfig read() {
        return RelayConfig.standard()
                .withLeaseTtl(leaseTtl)
                .withPage(batch)
                .withIdlePoll(idlePoll)
                .withPublishTimeout(publishTimeout);
    }
}
