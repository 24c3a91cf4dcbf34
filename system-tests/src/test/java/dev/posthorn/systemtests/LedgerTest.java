package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A checker that never complains proves nothing, so each kind of fault is made by hand. */
@Tag("exact")
class LedgerTest {

    private static final int EVENTS = 6;

    private final Set<UUID> committed = new HashSet<>();
    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void twoKeysPublishedInOrder() {
        for (int i = 0; i < EVENTS; i++) {
            committed.add(new UUID(0, i));
            lines.add(line(i, "key-" + i % 2, i / 2 + 1));
        }
    }

    @Test
    void whatIsExactPasses() {
        assertThatCode(() -> ledger().assertExact(0)).doesNotThrowAnyException();
    }

    @Test
    void aLostEventIsFoundAlsoAtTheEndOfAKey() {
        lines.remove(EVENTS - 1);

        assertThat(ledger().lost()).containsExactly(new UUID(0, EVENTS - 1));
        assertThatThrownBy(() -> ledger().assertExact(9)).hasMessageContaining("1 lost");
    }

    @Test
    void anEventThatNobodyCommittedIsFound() {
        lines.add(line(99, "key-9", 1));

        assertThat(ledger().invented()).containsExactly(new UUID(0, 99));
        assertThatThrownBy(() -> ledger().assertExact(9)).hasMessageContaining("1 invented");
    }

    @Test
    void twoEventsOfAKeyThatChangedPlacesAreFound() {
        String first = lines.set(0, lines.get(2));
        lines.set(2, first);

        assertThat(ledger().disorder()).hasSize(3).first().asString().startsWith("key-0: 2 after null");
        assertThatThrownBy(() -> ledger().assertExact(9)).hasMessageContaining("3 out of order");
    }

    @Test
    void aDuplicateIsCountedAndDoesNotDisturbTheOrder() {
        lines.add(3, lines.get(0));

        assertThat(ledger().duplicates()).isEqualTo(1);
        assertThatCode(() -> ledger().assertExact(1)).doesNotThrowAnyException();
        assertThatThrownBy(() -> ledger().assertExact(0)).hasMessageContaining("1 duplicates");
    }

    @Test
    void aTornLineIsNoPublication() {
        String whole = lines.get(4);
        lines.add(4, whole.substring(0, whole.length() - 4));

        assertThat(ledger().torn()).isEqualTo(1);
        assertThatCode(() -> ledger().assertExact(0)).doesNotThrowAnyException();
    }

    private Ledger ledger() {
        return Ledger.of(committed, lines);
    }

    private static String line(int id, String key, int sequence) {
        return "{\"published_at\":\"2026-01-01T00:00:00Z\",\"relay\":\"r\",\"id\":\"" + new UUID(0, id)
                + "\",\"key\":\"" + key + "\",\"sequence\":" + sequence + "}";
    }
}
