package dev.posthorn.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.deadletter.DeadLetter;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.deadletter.Source;
import dev.posthorn.event.Event;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every place for dead letters must do. A test of one says how to open it, how to break it, and what it holds. */
@Tag("exact")
public abstract class DeadLetterContract {

    private static final Source SOURCE = new Source("billing", "bill", Source.CONSUMER, "host-1");
    private static final List<Cause> CAUSES = List.of(
            new Cause.SequenceMismatch(5, 7),
            new Cause.ProcessingFailed("no account", 3, false),
            new Cause.ProcessingFailed("timed out", 4, true),
            new Cause.Rejected("the licence is revoked"),
            new Cause.PayloadRetrievalFailed("no such object"),
            new Cause.Undecodable("no header ce-id"));
    private static final byte[] ZEROS = {0, 1, 0, -1, 0};

    /**
     * A letter as it is held.
     *
     * @param event the event's id, or empty if it was undecodable
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by the tests, field by field
    public record Held(
            String event,
            String cause,
            Map<String, String> details,
            String remedy,
            Map<String, String> headers,
            byte[] body,
            Map<String, String> metadata) {}

    /** One that works. */
    protected abstract DeadLetterTarget target();

    /** One that can not be reached. */
    protected abstract DeadLetterTarget unreachable();

    /** All that {@link #target} holds of this letter. */
    protected abstract List<Held> held(UUID letter);

    private static Event event() {
        return Event.of("orders", "order.placed").key("a").json("{}").build();
    }

    private static DeadLetter letter(Event event, Cause cause) {
        return new DeadLetter(
                UUID.randomUUID(),
                SOURCE,
                event,
                new DeadLetter.Raw(Map.of("name", "välue \"quoted\""), ZEROS),
                cause,
                Instant.now(),
                Map.of("topic", "orders", "offset", "42"));
    }

    @Test
    void everyCauseIsKeptWithItsDetailsAndItsRemedy() {
        CAUSES.forEach(this::isKeptWithItsDetailsAndItsRemedy);
    }

    private void isKeptWithItsDetailsAndItsRemedy(Cause cause) {
        Event event = event();
        DeadLetter letter = letter(event, cause);

        target().keep(letter);

        assertThat(held(letter.id())).singleElement().satisfies(held -> {
            assertThat(held.event()).isEqualTo(event.id().toString());
            assertThat(held.cause()).isEqualTo(cause.kind());
            assertThat(held.details()).isEqualTo(cause.details());
            assertThat(held.remedy()).isEqualTo(cause.remedy());
        });
    }

    @Test
    void whatCameIsKeptToTheByte() {
        DeadLetter letter = letter(event(), new Cause.Rejected("no"));

        target().keep(letter);

        assertThat(held(letter.id())).singleElement().satisfies(held -> {
            assertThat(held.body()).containsExactly(ZEROS);
            assertThat(held.headers()).containsExactlyEntriesOf(letter.raw().headers());
            assertThat(held.metadata()).isEqualTo(letter.metadata());
        });
    }

    @Test
    void whatComesTwiceIsKeptOnce() {
        DeadLetter letter = letter(event(), new Cause.Rejected("no"));

        target().keep(letter);
        target().keep(letter);

        assertThat(held(letter.id())).hasSize(1);
    }

    @Test
    void whatIsNoEventIsKeptToo() {
        byte[] noise = "\0not an event".getBytes(StandardCharsets.UTF_8);
        DeadLetter letter = new DeadLetter(
                UUID.randomUUID(),
                new Source("billing", "", Source.CONSUMER, "host-1"),
                null,
                new DeadLetter.Raw(Map.of(), noise),
                new Cause.Undecodable("it has no id: \0"),
                Instant.now(),
                Map.of());

        target().keep(letter);

        assertThat(held(letter.id())).singleElement().satisfies(held -> {
            assertThat(held.event()).isEmpty();
            assertThat(held.cause()).isEqualTo("undecodable");
            assertThat(held.body()).containsExactly(noise);
        });
    }

    @Test
    void whoeverCanNotKeepItSaysSo() {
        DeadLetter letter = letter(event(), new Cause.Rejected("no"));

        assertThatThrownBy(() -> unreachable().keep(letter)).isInstanceOf(RuntimeException.class);
    }
}
