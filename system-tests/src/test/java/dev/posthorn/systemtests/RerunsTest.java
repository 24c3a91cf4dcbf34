package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind {@code ./test} that decides which repeated tests still count as passed. */
class RerunsTest {

    private static final Pattern LEDGER = Pattern.compile("\\b(new (Ledger|Audit)\\(|(Ledger|Audit)\\.\\w+\\()");

    @TempDir
    Path root;

    private Path started;

    @BeforeEach
    void writeSources() throws IOException {
        started = Files.createFile(root.resolve("started"));
        source("Drain", "import org.junit.jupiter.api.Tag;\n@Tag(\"exact\")\nabstract class Drain {}");
        source("KafkaDrainTest", "final class KafkaDrainTest extends Drain {}");
        source("ScreenTest", "class ScreenTest {}");
    }

    @Test
    void nothingRepeatedIsSaidToo() throws Exception {
        Result result = reruns();

        assertThat(result.code()).isZero();
        assertThat(result.lines()).containsExactly("test: no test was repeated");
        assertThat(root.resolve("target/reruns.txt")).hasContent("no test was repeated");
    }

    @Test
    void aWaitThatTimedOutIsListedAndAccepted() throws Exception {
        report("a.ScreenTest", "<flakyFailure message=\"Waited 30000 ms in vain: the page\" type=\"x\"/>");

        Result result = reruns();

        assertThat(result.code()).isZero();
        assertThat(result.lines())
                .containsExactly("test: LATE the first time: a.ScreenTest.works: Waited 30000 ms in vain: the page");
    }

    @Test
    void aWrongAnswerCountsTheFirstTime() throws Exception {
        report("a.ScreenTest", "<flakyFailure message=\"expected: 3 but was: 2\" type=\"x\"/>");

        Result result = reruns();

        assertThat(result.code()).isOne();
        assertThat(result.lines())
                .containsExactly("test: WRONG the first time: a.ScreenTest.works: expected: 3 but was: 2");
    }

    @Test
    void anErrorCountsTheFirstTimeEvenWithoutAMessage() throws Exception {
        report("a.ScreenTest", "<flakyError type=\"java.lang.NullPointerException\"/>");

        Result result = reruns();

        assertThat(result.code()).isOne();
        assertThat(result.lines())
                .containsExactly("test: WRONG the first time: a.ScreenTest.works: java.lang.NullPointerException");
    }

    @Test
    void aTestThatInheritsTheTagExactMayNotBeLate() throws Exception {
        report("a.KafkaDrainTest", "<flakyFailure message=\"Waited 30000 ms in vain: 3 left\" type=\"x\"/>");

        Result result = reruns();

        assertThat(result.code()).isOne();
        assertThat(result.lines())
                .containsExactly("test: WRONG the first time: a.KafkaDrainTest.works: Waited 30000 ms in vain: 3 left");
    }

    @Test
    void reportsOfAnEarlierRunAreNotRead() throws Exception {
        Path report = report("a.ScreenTest", "<flakyError type=\"x\"/>");
        Files.setLastModifiedTime(report, FileTime.fromMillis(0));

        assertThat(reruns().code()).isZero();
    }

    @Test
    void everyTestThatKeepsALedgerIsExact() throws IOException {
        for (Path module : Modules.all()) {
            Path tests = module.resolve("src/test/java");
            if (!Files.isDirectory(tests)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(tests)) {
                for (Path file : files.filter(one -> one.toString().endsWith("Test.java"))
                        .toList()) {
                    String text = Files.readString(file);
                    if (LEDGER.matcher(text).find()) {
                        assertThat(text).as(file.toString()).contains("@Tag(\"exact\")");
                    }
                }
            }
        }
    }

    private record Result(int code, List<String> lines) {}

    private Result reruns() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Modules.root().resolve(".mvn/Reruns.java").toString(),
                        root.toString(),
                        started.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), said.lines().toList());
    }

    private void source(String name, String text) throws IOException {
        Path folder = Files.createDirectories(root.resolve("module/src/test/java/a"));
        Files.writeString(folder.resolve(name + ".java"), text);
    }

    private Path report(String type, String failure) throws IOException {
        Path folder = Files.createDirectories(root.resolve("module/target/surefire-reports"));
        return Files.writeString(
                folder.resolve("TEST-" + type + ".xml"),
                "<testsuite><testcase name=\"works\" classname=\"" + type + "\">" + failure
                        + "</testcase></testsuite>");
    }
}
