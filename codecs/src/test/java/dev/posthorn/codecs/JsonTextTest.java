package dev.posthorn.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.posthorn.transport.UndecodableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    private static final ObjectMapper JACKSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @Test
    void whatIsJsonIsWhatJacksonTakesForIt() {
        long seed = TestSize.seed();
        Random random = new Random(seed);
        RandomEvents texts = new RandomEvents(seed);
        for (int i = 0; i < TestSize.rounds(); i++) {
            byte[] text = texts.json(0).getBytes(StandardCharsets.UTF_8);
            for (int changes = random.nextInt(3); changes > 0 && text.length > 0; changes--) {
                text[random.nextInt(text.length)] = (byte) "{}[]\",:\\0e.-tn \u0001\u00e4".charAt(random.nextInt(17));
            }
            assertThat(JsonText.isJson(text))
                    .as("seed %d, text %d: %s", seed, i, new String(text, StandardCharsets.ISO_8859_1))
                    .isEqualTo(isJson(text));
        }
    }

    private static boolean isJson(byte[] text) {
        try {
            String decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
            return !JACKSON.readTree(decoded).isMissingNode();
        } catch (CharacterCodingException noUtf8) {
            return false;
        } catch (IOException noJson) {
            return false;
        }
    }

    @Test
    void aFaultSaysWhereItIs() {
        assertThatThrownBy(() -> JsonText.check("{\n \"a\": 01}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UndecodableException.class)
                .hasMessage("at byte 9 (line 2, column 8): here comes a comma or the end of the object");
        assertThatThrownBy(() -> JsonText.check("[1,".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("at byte 3 (line 1, column 4): the text ends too early");
        assertThatThrownBy(() -> JsonText.check(new byte[0])).hasMessageContaining("the text ends too early");
    }

    @Test
    void otherEncodingsAreNoJsonThatCouldStandInAnEnvelope() {
        assertThat(JsonText.isJson("{}".getBytes(StandardCharsets.UTF_16LE))).isFalse();
        assertThat(JsonText.isJson("\uFEFF{}".getBytes(StandardCharsets.UTF_8))).isFalse();
        assertThat(JsonText.isJson(new byte[] {'"', (byte) 0xC0, (byte) 0x80, '"'}))
                .isFalse();
        assertThat(JsonText.isJson(new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'}))
                .isFalse();
    }

    @Test
    void aTextThatIsNestedTooDeepIsRefusedBeforeTheStackEnds() {
        assertThat(JsonText.isJson(("[".repeat(1_000) + "]".repeat(1_000)).getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThatThrownBy(() -> JsonText.check("[".repeat(1_000_000).getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("nested deeper than 1000 levels");
    }
}
