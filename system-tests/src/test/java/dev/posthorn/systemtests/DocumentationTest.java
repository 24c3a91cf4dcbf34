package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.systemtests.Markdown.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the documentation shows is what the tests run.
 *
 * <p>With {@code -Dposthorn.docs.update=true} the blocks are written from the snippets instead of compared with them.
 */
class DocumentationTest {

    /** Other systems' words for what has one word here; only the glossary says them. */
    private static final List<String> SYNONYMS = List.of(
            "dispatcher",
            "publisher worker",
            "relay worker",
            "enqueue",
            "requeue",
            "DLQ",
            "dead[- ]letter queue",
            "delivered_at",
            "re-drive",
            "re-publish");

    /** A page with fewer has lost its table. */
    private static final int FEWEST_REQUIREMENTS = 15;

    private static final Set<String> CHECKED_LANGUAGES = Set.of("java", "sql");

    private static final Snippets SNIPPETS = Snippets.load();

    @BeforeAll
    static void updateWhereAsked() throws IOException {
        if (!Boolean.getBoolean("posthorn.docs.update")) {
            return;
        }
        for (Markdown page : Markdown.pages()) {
            Markdown updated = page;
            for (int i = 0; i < page.blocks().size(); i++) {
                Block block = updated.blocks().get(i);
                if (block.snippet() != null) {
                    updated = updated.with(block, SNIPPETS.text(block.snippet()));
                }
            }
            updated.write();
        }
    }

    @Test
    void everyBlockOfCodeIsASnippet() throws IOException {
        for (Markdown page : Markdown.pages()) {
            assertThat(page.blocks())
                    .filteredOn(block -> CHECKED_LANGUAGES.contains(block.language()))
                    .allSatisfy(block -> assertThat(block.snippet())
                            .as("%s:%d has no <!-- snippet: NAME --> above it", page.file(), block.line() + 1)
                            .isNotNull());
        }
    }

    @Test
    void everySnippetIsShownAsItRuns() throws IOException {
        Set<String> shown = new HashSet<>();
        for (Markdown page : Markdown.pages()) {
            for (Block block : page.blocks()) {
                if (block.snippet() != null) {
                    assertThat(String.join("\n", block.text()))
                            .as("%s:%d; update it with -Dposthorn.docs.update=true", page.file(), block.line() + 1)
                            .isEqualTo(SNIPPETS.text(block.snippet()));
                    shown.add(block.snippet());
                }
            }
        }
        assertThat(shown)
                .as("snippets shown on a page")
                .containsAll(SNIPPETS.all().keySet());
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Markdown page : Markdown.pages()) {
            for (String link : page.relativeLinks()) {
                if (!leadsSomewhere(page, link)) {
                    broken.add(page.file() + " -> " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static boolean leadsSomewhere(Markdown page, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path folder = Objects.requireNonNull(page.file().getParent());
        Path target = parts[0].isEmpty() ? page.file() : folder.resolve(parts[0]);
        return Files.exists(target)
                && (parts.length < 2 || Markdown.read(target).anchors().contains(parts[1]));
    }

    @Test
    void everyModuleSaysInItsReadmeWhatItIs() throws IOException {
        assertThat(Modules.all())
                .isNotEmpty()
                .allSatisfy(module -> assertThat(Markdown.read(module.resolve("README.md"))
                                .prose()
                                .lines()
                                .filter(line -> !line.isBlank() && !line.startsWith("#")))
                        .as("sentences in the README of %s", module)
                        .isNotEmpty());
    }

    @Test
    void oneConceptHasOneWord() throws IOException {
        Pattern synonym = Pattern.compile("\\b(" + String.join("|", SYNONYMS) + ")", Pattern.CASE_INSENSITIVE);
        for (Markdown page : Markdown.pages()) {
            if (!page.file().endsWith("docs/glossary.md")) {
                assertThat(synonym.matcher(page.prose()).results().map(found -> found.group()))
                        .as("words of %s that the glossary translates", page.file())
                        .isEmpty();
            }
        }
    }

    @Test
    void everyRequirementOfASystemIsShownByATest() throws IOException {
        TestSources sources = TestSources.load();
        List<String> faults = new ArrayList<>();
        List<String> open = new ArrayList<>();
        for (Path page : RequirementTable.pages()) {
            List<RequirementTable.Row> rows =
                    RequirementTable.rows(String.valueOf(page.getFileName()), Files.readAllLines(page));
            assertThat(rows).as("requirements on %s", page).hasSizeGreaterThan(FEWEST_REQUIREMENTS);
            for (RequirementTable.Row row : rows) {
                faults.addAll(row.faults(sources));
                if (row.isOpen()) {
                    open.add(row.place() + " " + row.requirement());
                }
            }
        }
        assertThat(faults).isEmpty();
        assertThat(open).as("requirements that are not met").hasSizeLessThanOrEqualTo(RequirementTable.MOST_OPEN);
    }
}
