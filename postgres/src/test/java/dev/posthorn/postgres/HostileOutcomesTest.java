package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.event.StorableText;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.HostileValues;
import dev.posthorn.testkit.HostileValues.Text;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every outcome that a transport may give, with every hostile reason: it concerns its own event and is kept readably. */
@Tag("exact")
@Timeout(120)
class HostileOutcomesTest {

    private static final Duration SOON = Duration.ofMillis(10);

    private static List<Text> reasons() {
        List<Text> reasons = new ArrayList<>(HostileValues.texts());
        reasons.add(HostileValues.large(10));
        return reasons;
    }

    /** Events, each with an outcome for its first attempt. */
    private static Map<Event, Outcome> first(List<Text> reasons, Function<String, Outcome> outcome) {
        Map<Event, Outcome> first = new LinkedHashMap<>();
        for (Text reason : reasons) {
            first.put(Event.of("orders", "Hostile").key("h" + first.size()).build(), outcome.apply(reason.value()));
        }
        return first;
    }

    private static void settle(RelayHarness harness, Map<Event, Outcome> first) {
        Set<UUID> tried = ConcurrentHashMap.newKeySet(); // an outage counts as no attempt
        RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
                tried.add(event.id()) ? first.getOrDefault(event, Outcome.accepted()) : Outcome.accepted());
        harness.startRelay("r1", transport.publisher());
        for (Event hostile : first.keySet()) {
            harness.emit(hostile, Event.of("orders", "Placed").key("ordinary").build());
        }
        Await.within(
                Duration.ofSeconds(60),
                () -> "all to be settled: "
                        + harness.rows("SELECT state, count(*) FROM posthorn.outbox_status GROUP BY 1"),
                () -> harness.rows("SELECT count(*) FROM posthorn.outbox_status WHERE state NOT IN ('SENT', 'FAILED')")
                        .equals(List.of("0")));
        assertThat(harness.rows("SELECT count(*) FROM posthorn.outbox_status WHERE type = 'Placed' AND state = 'SENT'"))
                .containsExactly(Integer.toString(first.size()));
    }

    @Test
    void aRefusalIsADeadLetterWithAReadableReason() {
        try (RelayHarness harness = new RelayHarness()) {
            List<Text> reasons = reasons();
            Map<Event, Outcome> first = first(reasons, Outcome::refused);

            settle(harness, first);

            List<Event> events = List.copyOf(first.keySet());
            for (int i = 0; i < events.size(); i++) {
                assertThat(harness.status(events.get(i)))
                        .as(reasons.get(i).what())
                        .containsEntry("state", "FAILED");
                String kept = harness.rows("SELECT reason FROM posthorn.dead WHERE event_id = '"
                                + events.get(i).id() + "'")
                        .get(0);
                assertThat(StorableText.remark(reasons.get(i).value()))
                        .as(reasons.get(i).what())
                        .startsWith(kept.endsWith("…") ? kept.substring(0, kept.length() - 1) : kept);
                assertThat(kept.isEmpty()).isEqualTo(reasons.get(i).value().isEmpty());
            }
        }
    }

    @Test
    void whatFailedOrIsUnknownIsTriedAgain() {
        List<Function<String, Outcome>> outcomes =
                List.of(Outcome::failed, reason -> Outcome.failed(reason, SOON), Outcome::unknown);
        try (RelayHarness harness = new RelayHarness()) {
            Map<Event, Outcome> first = new LinkedHashMap<>();
            for (Function<String, Outcome> outcome : outcomes) {
                first.putAll(first(reasons(), outcome));
            }

            settle(harness, first);

            assertThat(harness.rows(
                            "SELECT count(*) FROM posthorn.outbox_status WHERE type = 'Hostile' AND state = 'SENT'"))
                    .containsExactly(Integer.toString(first.size()));
        }
    }

    @Test
    void anOutageEndsWhateverItsReason() {
        List<Text> few =
                List.of(new Text("NUL and surrogate", "a\0b\uD83D"), HostileValues.large(1), new Text("empty", ""));
        try (RelayHarness harness = new RelayHarness()) {
            Map<Event, Outcome> first = first(few, Outcome::unavailable);

            settle(harness, first);

            assertThat(harness.rows("SELECT count(*) FROM posthorn.outbox_status WHERE state = 'SENT'"))
                    .containsExactly(Integer.toString(2 * few.size()));
        }
    }
}
