package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.testkit.HostileEvents;
import dev.posthorn.testkit.HostileEvents.Case;
import dev.posthorn.testkit.HostileEvents.Field;
import dev.posthorn.testkit.HostileValues;
import dev.posthorn.testkit.HostileValues.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every field of an event that Java emits, with hostile values: it arrives intact or is refused by the field's name. */
@Tag("exact")
@Timeout(300)
class HostileJavaEmitsTest {

    private static final int TEN_MEGABYTES = 10;

    @Test
    void everyHostileValueThatCanBeBuiltArrivesIntactFromOneAndFromMany() throws InterruptedException {
        try (ControlStream control = new ControlStream()) {
            List<Event> valid =
                    HostileEvents.valid("shop").stream().map(Case::event).toList();

            for (Event event : valid) {
                assertThat(control.tried(connection -> control.harness.outbox.emit(connection, event)))
                        .as("%s", event)
                        .isNull();
            }
            List<Event> again =
                    HostileEvents.valid("shop").stream().map(Case::event).toList();
            for (EmitOption[] options : new EmitOption[][] {{}, {EmitOption.IDEMPOTENT}, {EmitOption.SERIALISED}}) {
                List<Event> many = options.length == 0
                        ? again
                        : HostileEvents.valid("shop").stream().map(Case::event).toList();
                assertThat(control.tried(connection -> control.harness.outbox.emit(connection, many, options)))
                        .as("with %s", List.of(options))
                        .isNull();
                assertThat(many)
                        .allSatisfy(
                                event -> assertThat(control.await(event.id())).isEqualTo(event));
            }

            assertThat(valid)
                    .allSatisfy(event -> assertThat(control.await(event.id())).isEqualTo(event));
            control.endsWell(20);
        }
    }

    @Test
    void everyOtherHostileValueIsRefusedByTheBuilderWithTheNameOfItsField() {
        List<Text> texts = new ArrayList<>(HostileValues.texts());
        texts.add(HostileValues.large(TEN_MEGABYTES));
        for (Text text : texts) {
            List<Field> fields = new ArrayList<>(HostileEvents.fields());
            fields.add(new Field("traceparent", EventBuilder::traceparent));
            for (Field field : fields) {
                refusedOrEqual(field.name(), text, value -> {
                    EventBuilder event = Event.of("shop", "Placed");
                    field.setter().accept(event, value);
                    return event.build();
                });
            }
            refusedOrEqual("domain", text, value -> Event.of(value, "Placed").build());
            refusedOrEqual("type", text, value -> Event.of("shop", value).build());
        }
        for (Instant time : List.of(Instant.MIN, Instant.MAX, Instant.parse("0000-12-31T23:59:59Z"))) {
            refusedOrEqual(
                    "occurredAt",
                    new Text(time.toString(), ""),
                    any -> Event.of("shop", "Placed").occurredAt(time).build());
            refusedOrEqual(
                    "deliverAfter",
                    new Text(time.toString(), ""),
                    any -> Event.of("shop", "Placed").deliverAfter(time).build());
        }
    }

    private static void refusedOrEqual(String field, Text text, Function<String, Event> build) {
        try {
            Event unused = build.apply(text.value());
            assertThat(HostileValues.unstorable())
                    .as("%s was taken as %s", text, field)
                    .doesNotContain(text);
            assertThat(text.value().length())
                    .as("%s was taken as %s", text, field)
                    .isLessThan(40_000);
        } catch (InvalidEventException refused) {
            assertThat(refused.faults())
                    .as("%s as %s", text, field)
                    .anyMatch(fault -> fault.field().startsWith(field));
            assertThat(String.valueOf(refused.getMessage()).length())
                    .as("the message about %s as %s", text, field)
                    .isLessThan(2_000);
        }
    }

    @Test
    void anEventThatWasNeverCheckedIsRefusedByItsFieldAloneAndAmongOthers() throws InterruptedException {
        try (ControlStream control = new ControlStream()) {
            for (Case hostile : HostileEvents.invalid("shop")) {
                Event ordinary = Event.of("shop", "Placed").build();

                refused(control, hostile, List.of(hostile.event()));
                refused(
                        control,
                        hostile,
                        List.of(
                                ordinary,
                                hostile.event(),
                                Event.of("shop", "Placed").build()));
                refused(control, hostile, List.of(ordinary, hostile.event()), EmitOption.IDEMPOTENT);
                assertThat(control.arrivedNow(ordinary.id()))
                        .as("nothing of a refused call")
                        .isEmpty();
            }
            control.endsWell(20);
        }
    }

    private static void refused(ControlStream control, Case hostile, List<Event> events, EmitOption... options) {
        Exception refusal = control.tried(connection -> control.harness.outbox.emit(connection, events, options));
        assertThat(refusal).as("%s", hostile).isInstanceOf(PosthornException.class);
        assertThat(plain(String.valueOf(Objects.requireNonNull(refusal).getMessage())))
                .as("%s", hostile)
                .contains(plain(hostile.field()));
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
    }
}
