package dev.posthorn.privacy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactionTest {

    private static final String JSON = "application/json";

    private static String shown(Redaction redaction, String json) {
        return redaction.text(json.getBytes(UTF_8), JSON);
    }

    @Test
    void fieldsAreHiddenByNameWhereverTheyAre() {
        assertThat(shown(
                        Redaction.of(List.of("last_name")),
                        "{\"lastName\":\"Lovelace\",\"people\":[{\"last-name\":\"Hopper\",\"age\":85}]}"))
                .isEqualTo("{\"lastName\":\"***\",\"people\":[{\"last-name\":\"***\",\"age\":85}]}");
    }

    @Test
    void aPathHidesThatFieldAlone() {
        assertThat(shown(
                        Redaction.of(List.of("cards.number")),
                        "{\"cards\":[{\"number\":17}],\"order\":{\"number\":18}}"))
                .isEqualTo("{\"cards\":[{\"number\":\"***\"}],\"order\":{\"number\":18}}");
    }

    @Test
    void whatIsBelowAHiddenFieldIsHiddenWithIt() {
        assertThat(shown(Redaction.of(List.of("customer")), "{\"customer\":{\"id\":1,\"tags\":[\"a\"]},\"n\":null}"))
                .isEqualTo("{\"customer\":\"***\",\"n\":null}");
    }

    @Test
    void whatLooksLikePersonalDataIsHiddenWithinAText() {
        assertThat(shown(Redaction.standard(), "{\"note\":\"ask ada@example.com, then +49 30 901820\"}"))
                .isEqualTo("{\"note\":\"ask ***, then ***\"}");
    }

    @Test
    void everythingLeavesNamesOnly() {
        assertThat(shown(Redaction.everything(), "{\"a\":1,\"b\":[true,\"x\"],\"c\":null}"))
                .isEqualTo("{\"a\":\"***\",\"b\":[\"***\",\"***\"],\"c\":null}");
    }

    @Test
    void noneShowsAll() {
        assertThat(shown(Redaction.none(), "{\"email\":\"ada@example.com\"}"))
                .isEqualTo("{\"email\":\"ada@example.com\"}");
    }

    @Test
    void headersAreHiddenToo() {
        assertThat(Redaction.standard()
                        .headers(Map.of("Authorization", "Bearer x", "reply-to", "ada@example.com", "a", "1")))
                .isEqualTo(Map.of("Authorization", "***", "reply-to", "***", "a", "1"));
    }

    @Test
    void ofBytesThatAreNoTextOnlyTheSizeIsShown() {
        Redaction redaction = Redaction.standard();

        assertThat(redaction.text(new byte[12], "application/avro")).isEqualTo("(12 bytes of application/avro)");
        assertThat(redaction.text("{".getBytes(UTF_8), JSON)).isEqualTo("(1 bytes of application/json, malformed)");
        assertThat(redaction.text(new byte[] {(byte) 0xff}, "text/plain"))
                .isEqualTo("(1 bytes of text/plain, malformed)");
        assertThat(redaction.text("to ada@example.com".getBytes(UTF_8), "text/plain"))
                .isEqualTo("to ***");
    }
}
