package dev.posthorn.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorableTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "plain", "😀", "a\u200Bb", "\u202Eleft", "\uFEFF", "\r\n\t\u0001\u007F", "' \" \\ %s {}"
            })
    void whatPostgresStoresStaysAsItIs(String text) {
        assertThat(StorableText.remark(text)).isSameAs(text);
        assertThat(StorableText.evidence(text)).isSameAs(text);
        assertThat(StorableText.name("key", text)).isSameAs(text);
        assertThat(StorableText.value("result", text)).isSameAs(text);
    }

    @Test
    void aRemarkShowsWhereANulOrAnUnpairedSurrogateWas() {
        assertThat(StorableText.remark("a\0b")).isEqualTo("a\uFFFDb");
        assertThat(StorableText.remark("\uD83D")).isEqualTo("\uFFFD");
        assertThat(StorableText.remark("\uDE00x\uD83D")).isEqualTo("\uFFFDx\uFFFD");
        assertThat(StorableText.remark("\uDE00\uD83D")).isEqualTo("\uFFFD\uFFFD");
        assertThat(StorableText.remark("\uD83D\uD83D\uDE00\0")).isEqualTo("\uFFFD😀\uFFFD");
    }

    @Test
    void aRemarkThatIsMissingSaysSo() {
        assertThat(StorableText.remark(null)).isEqualTo("no reason was given");
    }

    @Test
    void aLongRemarkEndsInAnEllipsis() {
        assertThat(StorableText.remark("x".repeat(4_000))).isEqualTo("x".repeat(4_000));
        assertThat(StorableText.remark("x".repeat(4_001))).isEqualTo("x".repeat(3_999) + "…");
        assertThat(StorableText.remark("x".repeat(10 << 20))).hasSize(4_000);
    }

    @Test
    void aLongRemarkIsNotCutWithinACharacter() {
        String cut = StorableText.remark("x" + "😀".repeat(3_000));

        assertThat(cut).isEqualTo("x" + "😀".repeat(1_999) + "…").hasSize(4_000);
        assertThat(StorableText.remark("😀".repeat(3_000)))
                .isEqualTo("😀".repeat(1_999) + "…")
                .hasSize(3_999);
    }

    @Test
    void evidenceIsNotCut() {
        assertThat(StorableText.evidence("\0" + "x".repeat(100_000))).isEqualTo("\uFFFD" + "x".repeat(100_000));
    }

    @Test
    void aNameWithANulIsRefusedWithFieldAndPosition() {
        assertThatThrownBy(() -> StorableText.name("idempotency key", "ab\0c"))
                .isInstanceOf(UnstorableTextException.class)
                .hasMessage(
                        "Cannot store idempotency key: it has 4 characters, and character 3 is NUL (U+0000), which"
                                + " PostgreSQL cannot store in a text. Nothing was sent to the database; correct it and try again.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD800", "\uDFFF", "\uDE00\uD83D", "😀\uD83D"})
    void aNameWithAnUnpairedSurrogateIsRefused(String text) {
        assertThatThrownBy(() -> StorableText.name("key", text)).hasMessageContaining("unpaired surrogate (U+D");
        assertThatThrownBy(() -> StorableText.value("key", text)).hasMessageContaining("unpaired surrogate (U+D");
    }

    @Test
    void aNameIsLimitedInBytesAndAValueIsNot() {
        assertThat(StorableText.name("key", "ü".repeat(500))).hasSize(500);
        assertThatThrownBy(() -> StorableText.name("key", "ü".repeat(501)))
                .hasMessageContaining("has 1,002 bytes in UTF-8, but at most 1,000 are allowed; it begins with \"ü");
        assertThat(StorableText.value("result", "x".repeat(10 << 20))).hasSize(10 << 20);
    }
}
