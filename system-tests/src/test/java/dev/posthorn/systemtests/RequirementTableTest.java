package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The check of the tables finds what it is for. */
class RequirementTableTest {

    private static final String HOW = "the setting `routes.NAME.envelope`";
    private static final String SHOWN = "`RequirementTableTest#aRowWithATestThatExistsIsFine`";

    private static TestSources sources;

    @BeforeAll
    static void load() throws IOException {
        sources = TestSources.load();
    }

    private static List<String> faults(String state, String how, String tests) {
        return RequirementTable.rows(
                        "page.md",
                        List.of(
                                "| requirement | state | how | test |",
                                "|---|---|---|---|",
                                "| an envelope | " + state + " | " + how + " | " + tests + " |"))
                .stream()
                .flatMap(row -> row.faults(sources).stream())
                .toList();
    }

    @Test
    void aRowWithATestThatExistsIsFine() {
        assertThat(faults("met", HOW, SHOWN)).isEmpty();
        assertThat(faults("departs", HOW, SHOWN)).isEmpty();
        assertThat(faults("open", HOW, "")).isEmpty();
    }

    @Test
    void aTestThatAClassInheritsExists() {
        assertThat(faults("met", HOW, "`RabbitMqContractTest#aBatchArrivesWhole`"))
                .isEmpty();
    }

    @Test
    void aRowWithoutATestIsFound() {
        assertThat(faults("met", HOW, "")).containsExactly("page.md:3: names no test");
        assertThat(faults("departs", HOW, "seen by hand")).containsExactly("page.md:3: names no test");
    }

    @Test
    void aTestThatDoesNotExistIsFound() {
        assertThat(faults("met", HOW, "`NoSuchTest#aBatchArrivesWhole`"))
                .containsExactly("page.md:3: there is no test NoSuchTest#aBatchArrivesWhole");
        assertThat(faults("met", HOW, SHOWN + ", `RequirementTableTest#noSuchMethod`"))
                .containsExactly("page.md:3: there is no test RequirementTableTest#noSuchMethod");
        assertThat(faults("met", HOW, "`RequirementTableTest#load`")).hasSize(1);
    }

    @Test
    void aStateThatIsNoneAReasonThatIsMissingAndAnOpenRowWithATestAreFound() {
        assertThat(faults("mostly", HOW, SHOWN)).hasSize(1);
        assertThat(faults("departs", "because", SHOWN)).hasSize(1);
        assertThat(faults("open", HOW, SHOWN)).containsExactly("page.md:3: is open and names a test");
    }

    @Test
    void aTableWithOtherColumnsIsRefused() {
        assertThatThrownBy(() -> RequirementTable.rows("page.md", List.of("| requirement | test |")))
                .hasMessageContaining("page.md:1");
    }
}
