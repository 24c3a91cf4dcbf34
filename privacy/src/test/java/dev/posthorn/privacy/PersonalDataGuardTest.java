package dev.posthorn.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class PersonalDataGuardTest {

    private final List<Event> emitted = new ArrayList<>();
    private final Outbox outbox = new Outbox() {
        @Override
        public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
            emitted.addAll(events);
            return Emission.NOTHING;
        }

        @Override
        public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
            return new Commit(0, emit(connection, events, options));
        }
    };

    /** Nothing here reaches a database. */
    private final Connection connection = (Connection) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    private static Event event(String json) {
        return Event.of("shop", "placed").json(json).build();
    }

    private static List<String> found(Event event) {
        return PersonalDataGuard.failing().look(event).stream()
                .map(Finding::toString)
                .toList();
    }

    @Test
    void fieldsAreFoundByNameAndByWhatTheyLookLike() {
        assertThat(found(event("{\"customer\":{\"firstName\":\"Ada\",\"contact\":\"ada@example.com\"},"
                        + "\"pay\":[\"DE89370400440532013000\"],\"card\":4111111111111111,\"total\":17}")))
                .containsExactly(
                        "customer.firstName (by its name)",
                        "customer.contact (e-mail address)",
                        "pay (IBAN)",
                        "card (card number)");
    }

    @Test
    void headersAndTextsAreLookedAt() {
        Event event = Event.of("shop", "placed")
                .header("reply-to", "ada@example.com")
                .payload("call +49 30 901820".getBytes(java.nio.charset.StandardCharsets.UTF_8), "text/plain")
                .build();

        assertThat(found(event)).containsExactly("header reply-to (e-mail address)", "payload (phone number)");
    }

    @Test
    void aStrictGuardEmitsNothingAndDoesNotTellTheValue() {
        Outbox guarded = PersonalDataGuard.failing().before(outbox);

        assertThatThrownBy(() -> guarded.emit(connection, event("{\"email\":\"ada@example.com\"}")))
                .isInstanceOf(PersonalDataException.class)
                .hasMessageContaining("email (by its name)")
                .hasMessageNotContaining("ada@");

        assertThat(emitted).isEmpty();
    }

    @Test
    void aWarningGuardLetsItPass() {
        Event event = event("{\"email\":\"ada@example.com\"}");

        PersonalDataGuard.warning().before(outbox).emit(connection, event);

        assertThat(emitted).containsExactly(event);
    }

    @Test
    void whatIsMeantToBeThereIsAllowed() {
        PersonalDataGuard guard = PersonalDataGuard.failing().allowing(List.of("billing.iban"));

        assertThat(guard.look(event("{\"billing\":{\"iban\":\"DE89370400440532013000\"}}")))
                .isEmpty();
        assertThat(guard.look(event("{\"iban\":\"DE89370400440532013000\"}"))).hasSize(1);
    }

    @Test
    void otherNamesCanBeSought() {
        PersonalDataGuard guard = PersonalDataGuard.failing().seeking(List.of("nickname"));

        assertThat(guard.look(event("{\"nickname\":\"ada\",\"surname\":\"L\"}")))
                .hasSize(1);
    }

    @Test
    void emptyValuesAreNoData() {
        assertThat(found(event("{\"email\":null,\"phone\":\"\",\"token\":false}")))
                .isEmpty();
    }
}
