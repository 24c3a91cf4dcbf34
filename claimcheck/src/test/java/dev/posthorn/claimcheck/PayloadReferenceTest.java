package dev.posthorn.claimcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadReferenceTest {

    private static final String HASH = "ab".repeat(32);

    private static Event event(String payload) {
        return Event.of("orders", "order.placed")
                .payload(payload.getBytes(StandardCharsets.UTF_8), PayloadReference.CONTENT_TYPE)
                .build();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "text/plain; charset=\"utf-8\"",
                "a\\b\tc",
                "größe/€",
                "\u0001",
                "x/\uD83D\uDE00"
            })
    void whatIsWrittenIsReadAgain(String contentType) {
        Event large = Event.of("orders", "order.placed")
                .header("a", "b")
                .payload(new byte[5_000], contentType)
                .build();
        PayloadReference reference = PayloadReference.to(large);

        Event small = reference.in(large);

        assertThat(PayloadReference.read(small)).contains(reference);
        assertThat(small.contentType()).isEqualTo(PayloadReference.CONTENT_TYPE);
        assertThat(small.headers()).isEqualTo(large.headers());
        assertThat(small.id()).isEqualTo(large.id());
    }

    @Test
    void theLongestContentTypeThatAnEventMayHaveIsRead() {
        Event large = Event.of("orders", "order.placed")
                .payload(new byte[5_000], "\"".repeat(1_000))
                .build();

        assertThat(PayloadReference.read(PayloadReference.to(large).in(large))).contains(PayloadReference.to(large));
    }

    @Test
    void itIsJsonThatPeopleCanRead() {
        Event large = Event.of("orders", "order.placed").json("{}").build();

        Event small = PayloadReference.to(large).in(large);

        assertThat(StandardCharsets.UTF_8.decode(small.payload()).toString())
                .isEqualTo("{\"sha256\":\"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\","
                        + "\"length\":2,\"contentType\":\"application/json\"}");
    }

    @Test
    void whoeverWritesItWithSpacesIsUnderstood() {
        assertThat(PayloadReference.read(
                        event("{ \"sha256\" : \"" + HASH + "\",\n \"length\": 7, \"contentType\": \"a\\/b\" }\n")))
                .contains(new PayloadReference(new PayloadKey(HASH), 7, "a/b"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"sha256\":\"../../etc/passwd\",\"length\":1,\"contentType\":\"a\"}",
                "{\"sha256\":\"HASH/../x\",\"length\":1,\"contentType\":\"a\"}",
                "{\"url\":\"http://169.254.169.254/\",\"length\":1,\"contentType\":\"a\"}",
                "{\"sha256\":\"HASH\",\"length\":-1,\"contentType\":\"a\"}",
                "{\"sha256\":\"HASH\",\"length\":9999999999999999,\"contentType\":\"a\"}",
                "{\"sha256\":\"HASH\",\"length\":1,\"contentType\":\"a\\x\"}",
                "{\"sha256\":\"HASH\",\"length\":1,\"contentType\":\"a\"} more"
            })
    void nothingElseIsAReference(String payload) {
        assertThat(PayloadReference.read(event(payload.replace("HASH", HASH)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2_000, 4_000, 8_000, 1_000_000})
    void whatIsMadeToExhaustTheReaderIsNone(int length) {
        assertThat(PayloadReference.read(
                        event("{\"sha256\":\"" + HASH + "\",\"length\":1,\"contentType\":\"" + "\\x".repeat(length))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../x", "AB", "ab/../cd", "http://host/"})
    void aKeyIsAHashAndNothingElse(String text) {
        assertThat(PayloadKey.parse(text)).isEmpty();
        assertThatThrownBy(() -> new PayloadKey(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
