package dev.posthorn.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmitStepTest {

    private final List<Event> emitted = new ArrayList<>();

    /** Nothing here reaches a database. */
    private final Connection connection = (Connection) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    private final Outbox outbox = new Outbox() {
        @Override
        public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
            emitted.addAll(events);
            return new Emission(events.stream().map(Event::id).toList(), List.of());
        }

        @Override
        public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
            return new Commit(1, emit(connection, events, options));
        }
    };

    private static Event event(String type) {
        return Event.of("shop", type).build();
    }

    @Test
    void theOuterStepComesFirst() {
        EmitStep first = EmitStep.onEach(event -> event.withHeader("steps", "first"));
        EmitStep second = EmitStep.onEach(
                event -> event.withHeader("steps", event.headers().getOrDefault("steps", "") + " second"));

        first.before(second.before(outbox)).emit(connection, event("placed"));

        assertThat(emitted.get(0).headers()).containsEntry("steps", "first second");
    }

    @Test
    void aStepIsBeforeACommitToo() {
        EmitStep.onEach(event -> event.withHeader("seen", "yes"))
                .before(outbox)
                .commit(connection, Change.of("UPDATE purchase SET paid = true"), event("paid"));

        assertThat(emitted.get(0).headers()).containsEntry("seen", "yes");
    }

    @Test
    void aStepThatThrowsEmitsNothing() {
        Outbox refusing = EmitStep.onEach(event -> {
                    throw new PosthornException("not this one");
                })
                .before(outbox);

        assertThatThrownBy(() -> refusing.emit(connection, event("placed"))).hasMessage("not this one");

        assertThat(emitted).isEmpty();
    }

    @Test
    void whatAHandlerEmitsFollowsFromWhatItHandles() {
        Event cause = Event.of("shop", "placed").correlationId("request-7").build();

        Causation.by(cause).before(outbox).emit(connection, event("billed"));

        assertThat(emitted.get(0).correlationId()).contains("request-7");
        assertThat(emitted.get(0).causationId()).contains(cause.id().toString());
    }

    @Test
    void anEventWithoutACorrelationIdBeginsOne() {
        Event cause = event("placed");

        Causation.by(cause).before(outbox).emit(connection, event("billed"));

        assertThat(emitted.get(0).correlationId()).contains(cause.id().toString());
    }

    @Test
    void whatTheEmitterHasSetStays() {
        Event own = Event.of("shop", "billed")
                .correlationId("own")
                .causationId("command-1")
                .build();

        Causation.by(event("placed")).before(outbox).emit(connection, own);

        assertThat(emitted).containsExactly(own);
    }
}
