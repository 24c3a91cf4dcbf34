package dev.posthorn.transports.rabbitmq;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** One queue that all members consume at once: evenly shared, and in no order. */
@Tag("slow")
class RabbitMqCompetingContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return new RabbitMqTestBroker(
                config -> config.queues(Queues.STANDARD.shards(1).competing(true)));
    }

    @Override
    protected Set<String> skips() {
        return Set.of(
                "tenThousandEventsKeepTheOrderOfEachOfTwoHundredKeys",
                "aRetryComesNoSoonerThanAskedAndWhatIsBehindItWaits");
    }
}
