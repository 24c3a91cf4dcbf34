package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every command says how it is used, in examples that would be understood. */
class HelpTest {

    private static final Path PAGE = Path.of("../docs/cli.md");

    /** They print what is to be read or run as it is. */
    private static final Set<String> TEXT_ONLY = Set.of("posthorn completion", "posthorn manual");

    static List<List<String>> commands() {
        return CommandLineTest.commands();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void itHasExamplesThatTheCommandLineUnderstands(List<String> words) {
        CommandLine command = command(words);
        String name = command.getCommandSpec().qualifiedName();
        String[] footer = command.getCommandSpec().usageMessage().footer();

        assertThat(footer).as("examples of " + name).isNotEmpty();
        assertThat(footer).allSatisfy(line -> assertThat(line).startsWith("  ").contains(name));
        assertThat(command.getUsageMessage()).contains("Examples:");
        for (String line : footer) {
            CommandUses.assertExists(
                    line.substring(line.indexOf("posthorn ") + "posthorn ".length())
                            .replace(")", ""),
                    name);
        }
    }

    /** Those that do or read something. */
    static List<List<String>> answering() {
        return commands().stream()
                .filter(words -> command(words).getCommand() instanceof Callable)
                .filter(words ->
                        !TEXT_ONLY.contains(command(words).getCommandSpec().qualifiedName()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("answering")
    void itsAnswerIsAlsoForPrograms(List<String> words) {
        assertThat(command(words).getCommandSpec().findOption("--json")).isNotNull();
    }

    @Test
    void thePageAboutTheCommandLineIsWhatTheProgramPrints() throws IOException {
        String printed = Cli.run("manual").out();
        if (Boolean.getBoolean("posthorn.docs.update")) {
            Files.writeString(PAGE, printed);
        }

        assertThat(Files.readString(PAGE))
                .as("update it with: ./posthorn manual > docs/cli.md")
                .isEqualTo(printed);
    }

    @Test
    void aShellCompletesCommandsAndOptions(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(
                folder.resolve("completion"), Cli.run("completion").out());
        String ask = "source " + script + "; COMP_WORDS=(posthorn routes pa); COMP_CWORD=2;"
                + " _complete_posthorn; echo \"${COMPREPLY[@]}\"";

        Process process =
                new ProcessBuilder("bash", "-c", ask).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.strip()).isEqualTo("pause");
        assertThat(Files.readString(script)).as("for zsh").contains("bashcompinit");
    }

    @Test
    void aColourIsNeverPrintedToAFileOrAPipe() {
        assertThat(Arrays.asList(Cli.run("--help"), Cli.run("statsu"), Cli.run("config", "reference")))
                .allSatisfy(answer -> assertThat(answer.out() + answer.err()).doesNotContain("\u001b["));
    }

    private static CommandLine command(List<String> words) {
        CommandLine command =
                Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
        for (String word : words) {
            command = Objects.requireNonNull(command.getSubcommands().get(word));
        }
        return command;
    }
}
