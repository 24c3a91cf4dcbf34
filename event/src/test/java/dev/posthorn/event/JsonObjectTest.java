package dev.posthorn.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JsonObjectTest {

    @Test
    void fieldsComeInTheOrderInWhichTheyWereGiven() {
        CharSequence json = new JsonObject()
                .text("a", "x")
                .number("b", 7L)
                .object("c", new TreeMap<>(Map.of("e", "2", "d", "1")))
                .json("f", "[1]")
                .end();

        assertThat(json).hasToString("{\"a\":\"x\",\"b\":7,\"c\":{\"d\":\"1\",\"e\":\"2\"},\"f\":[1]}");
    }

    @Test
    void absentValuesAreLeftOut() {
        CharSequence json = new JsonObject()
                .text("a", null)
                .number("b", null)
                .json("c", null)
                .object("d", Map.of())
                .end();

        assertThat(json).hasToString("{\"d\":{}}");
    }

    @Test
    void anObjectWithoutFieldsIsEmpty() {
        assertThat(JsonObject.of(Map.of())).isEqualTo("{}");
    }

    @Test
    void textIsEscapedInNamesAndValues() {
        assertThat(JsonObject.of(Map.of("a\"b", "\\ \n\t\u0001ü")))
                .isEqualTo("{\"a\\\"b\":\"\\\\ \\n\\u0009\\u0001ü\"}");
    }

    @Test
    void lineEndsOfUnicodeAndSurrogatesAreEscaped() {
        assertThat(JsonObject.quoted("\u0085\u2028\u2029😀\ud83d"))
                .isEqualTo("\"\\u0085\\u2028\\u2029\\ud83d\\ude00\\ud83d\"");
    }
}
