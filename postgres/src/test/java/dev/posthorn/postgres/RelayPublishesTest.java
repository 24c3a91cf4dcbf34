package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("exact")
class RelayPublishesTest {

    private final RelayHarness harness = new RelayHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void everyEventArrivesOnceInOrderOfItsKey() {
        RecordingTransport transport = RecordingTransport.accepting();
        harness.startRelay("r1", transport.publisher());
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            events.add(Event.of("payments", "moved")
                    .key("account-" + i % 200)
                    .sequence(i)
                    .json("{\"n\":" + i + "}")
                    .build());
        }

        for (int i = 0; i < events.size(); i += 500) {
            harness.emit(events.subList(i, i + 500));
        }
        transport.awaitCalls(events.size());

        assertThat(transport.events()).containsExactlyInAnyOrderElementsOf(events);
        Map<String, Long> last = new HashMap<>();
        for (Event event : transport.events()) {
            long sequence = event.sequence().getAsLong();
            Long before = last.put(event.key().orElseThrow(), sequence);
            assertThat(before == null || before < sequence).isTrue();
        }
        transport.assertAtMostOneInFlightPerKey();
        Await.until(
                "the last event is shown as SENT",
                () -> harness.state(events.get(9_999)).equals("SENT"));
    }
}
