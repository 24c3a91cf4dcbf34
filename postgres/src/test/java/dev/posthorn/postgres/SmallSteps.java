package dev.posthorn.postgres;

import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;

/** How a relay runs whose pages and limits are so small that a few hundred events cross every step often. */
final class SmallSteps {

    private SmallSteps() {}

    static RelayConfig config() {
        return RelayConfig.standard()
                .withLeaseTtl(Duration.ofSeconds(1))
                .withPage(8)
                .withLane(new RelayConfig.LaneLimit(16, 1 << 20))
                .withFlush(new RelayConfig.FlushPace(Duration.ofMillis(20), 50, Duration.ofMillis(200)));
    }

    static RoutePolicy policy() {
        return RoutePolicy.standard().withRetry(RetryPolicy.fixed(20, Duration.ofMillis(20)));
    }

    /** How many events may be read but not checkpointed, and so what one crash may duplicate. */
    static int bound() {
        return Migrations.DEFAULT_LANES * config().lane().events();
    }
}
