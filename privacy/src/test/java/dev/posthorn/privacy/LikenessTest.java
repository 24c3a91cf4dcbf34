package dev.posthorn.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LikenessTest {

    @ParameterizedTest
    @CsvSource({
        "EMAIL, write to ada@example.com today",
        "EMAIL, ada.l+x@mail.example.co.uk",
        "IBAN, DE89370400440532013000",
        "IBAN, pay GB82 WEST 1234 5698 7654 32 now",
        "IBAN, NO9386011117947",
        "CARD, 4111111111111111",
        "CARD, 5500 0000 0000 0004",
        "CARD, 3782-822463-10005",
        "PHONE, call +49 30 901820",
        "PHONE, +1 (415) 555-0132"
    })
    void personalDataIsRecognised(Likeness likeness, String text) {
        assertThat(likeness.isIn(text)).isTrue();
        assertThat(likeness.masked(text, "***")).contains("***").isNotEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order-4711",
                "4111111111111112",
                "0000000000000000",
                "DE88370400440532013000",
                "2026-11-17T06:30:00Z",
                "1763361000000",
                "a@b",
                "3 + 4 = 7",
                "+12",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            })
    void otherTextsAreNot(String text) {
        assertThat(Arrays.stream(Likeness.values()).filter(one -> one.isIn(text)))
                .isEmpty();
    }

    @Test
    void idsAreNot() {
        for (int i = 0; i < 1_000; i++) {
            String id = new UUID(i * 0x9E3779B97F4A7C15L, i * 0xC2B2AE3D27D4EB4FL).toString();
            assertThat(Likeness.EMAIL.isIn(id) || Likeness.IBAN.isIn(id) || Likeness.PHONE.isIn(id))
                    .as(id)
                    .isFalse();
        }
    }
}
