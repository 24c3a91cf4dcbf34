package dev.posthorn.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.posthorn.event.InvalidEventException.Fault;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventRulesTest {

    private static final String NUL = "a\0b";
    private static final String HALF_A_PAIR = "a\uD83D";
    private static final String NOT_STORABLE = "must not contain NUL characters or unpaired surrogates";

    @ParameterizedTest
    @ValueSource(strings = {"", "with space", ".dot-first", "ümlaut", "new\nline", "quote'"})
    void aNameOfOtherCharactersIsRefused(String name) {
        String why = "must be 1 to 200 letters, digits or . _ : / - and begin with a letter or digit, but is \"" + name
                + "\"";
        assertThat(faultsOf(Event.of(name, "placed"))).containsExactly(new Fault("domain", why));
        assertThat(faultsOf(Event.of("shop", name))).containsExactly(new Fault("type", why));
    }

    @Test
    void aNameMayHaveTwoHundredCharactersAndNotOneMore() {
        assertThatCode(() -> Event.of("d".repeat(200), "t").build()).doesNotThrowAnyException();
        assertThat(faultsOf(Event.of("d".repeat(201), "t")))
                .singleElement()
                .satisfies(fault -> assertThat(fault.why()).endsWith("\"" + "d".repeat(60) + "…\""));
    }

    @Test
    void aTimeMustBeInTheYearsOneToNineThousandNineHundredNinetyNine() {
        Instant early = Instant.parse("0000-12-31T23:59:59.999999Z");
        Instant late = Instant.parse("+10000-01-01T00:00:00Z");
        assertThat(faultsOf(of(event -> event.occurredAt(early).deliverAfter(late))))
                .containsExactly(
                        new Fault("occurredAt", "must be in the years 1 to 9999, but is " + early),
                        new Fault("deliverAfter", "must be in the years 1 to 9999, but is " + late));
        assertThatCode(() -> of(event ->
                                event.occurredAt(early.plusNanos(1_000)).deliverAfter(late.minusNanos(1_000)))
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    void aTextMustHaveOneToAThousandCharacters() {
        assertThat(faultsOf(of(event -> event.key(""))))
                .containsExactly(new Fault("key", "must have 1 to 1000 characters, but has 0"));
        assertThat(faultsOf(of(event -> event.tenant("t".repeat(1001)))))
                .containsExactly(new Fault("tenant", "must have 1 to 1000 characters, but has 1001"));
        assertThatCode(() -> of(event -> event.key("k".repeat(1000))).build()).doesNotThrowAnyException();
        assertThat(faultsOf(of(event -> event.key("€".repeat(1000)))))
                .containsExactly(new Fault("key", "must have at most 1000 bytes in UTF-8, but has 3000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {NUL, HALF_A_PAIR, "\uDE00\uD83D"})
    void aTextThatPostgresCanNotStoreIsRefused(String text) {
        assertThat(faultsOf(of(event -> event.key(text)))).containsExactly(new Fault("key", NOT_STORABLE));
        assertThat(faultsOf(of(event -> event.aggregate(text, text))))
                .containsExactly(new Fault("aggregateType", NOT_STORABLE), new Fault("aggregateId", NOT_STORABLE));
        assertThat(faultsOf(of(event -> event.tenant(text)))).containsExactly(new Fault("tenant", NOT_STORABLE));
        assertThat(faultsOf(of(event -> event.correlationId(text))))
                .containsExactly(new Fault("correlationId", NOT_STORABLE));
        assertThat(faultsOf(of(event -> event.causationId(text))))
                .containsExactly(new Fault("causationId", NOT_STORABLE));
        assertThat(faultsOf(of(event -> event.payload(new byte[0], text))))
                .containsExactly(new Fault("contentType", NOT_STORABLE));
    }

    @Test
    void aWholeSurrogatePairIsFine() {
        assertThatCode(() -> of(event -> event.key("😀").header("😀", "😀")).build())
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00-xyz", "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01"})
    void aTraceparentOfAnotherFormIsRefused(String traceparent) {
        assertThat(faultsOf(of(event -> event.traceparent(traceparent))))
                .containsExactly(new Fault(
                        "traceparent", "must look like 00-<32 hex>-<16 hex>-<2 hex>, but is \"" + traceparent + "\""));
    }

    @Test
    void aHeaderNeedsANameAndTextThatCanBeStored() {
        String why = "must have a name and no NUL characters or unpaired surrogates";
        assertThat(faultsOf(of(event -> event.header("", "v")))).containsExactly(new Fault("header \"\"", why));
        assertThat(faultsOf(of(event -> event.header("h", NUL)))).containsExactly(new Fault("header \"h\"", why));
        assertThat(faultsOf(of(event -> event.header(HALF_A_PAIR, "v"))))
                .containsExactly(new Fault("header \"" + HALF_A_PAIR + "\"", why));
    }

    @Test
    void headersAreBoundedInNumberAndSize() {
        Fault tooMuch = new Fault("headers", "must be at most 100 and 32768 characters in all");
        EventBuilder many = of(event -> event);
        for (int i = 0; i < 101; i++) {
            many.header("h" + i, "v");
        }
        assertThat(faultsOf(many)).containsExactly(tooMuch);
        assertThat(faultsOf(of(event -> event.header("h", "v".repeat(32_768))))).containsExactly(tooMuch);
        assertThatCode(() -> of(event -> event.header("h", "v".repeat(32_767))).build())
                .doesNotThrowAnyException();
    }

    @Test
    void whatComesInMayHaveAHeaderMoreThanAProducerMayGive() {
        assertThatCode(() -> Event.received(withHeaders(101))).doesNotThrowAnyException();
        assertThatThrownBy(() -> Event.received(withHeaders(105))).isInstanceOf(InvalidEventException.class);
    }

    private static EventFields withHeaders(int count) {
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < count; i++) {
            headers.put("h" + i, "v");
        }
        return new EventFields(
                UUID.randomUUID(),
                "shop",
                "placed",
                null,
                null,
                EventFields.Labels.NONE,
                new EventFields.Body(headers, "text/plain", new byte[0], Instant.now(), null));
    }

    @Test
    void everyFaultIsReportedAtOnceWithWhatToDo() {
        // Given
        EventBuilder builder = Event.of("no spaces", "").key("").traceparent("x");

        // When
        InvalidEventException error = catchThrowableOfType(InvalidEventException.class, builder::build);

        // Then
        assertThat(error.faults()).extracting(Fault::field).containsExactly("domain", "type", "key", "traceparent");
        assertThat(error)
                .hasMessageContaining("domain must be")
                .hasMessageContaining("; key must have 1 to 1000 characters")
                .hasMessageEndingWith("Nothing was emitted; correct the event and emit it again.");
    }

    private static EventBuilder of(UnaryOperator<EventBuilder> change) {
        return change.apply(Event.of("shop", "placed"));
    }

    private static List<Fault> faultsOf(EventBuilder builder) {
        return catchThrowableOfType(InvalidEventException.class, builder::build).faults();
    }
}
