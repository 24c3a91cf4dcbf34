package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Whether commands that a page or a message names exist. */
final class CommandUses {

    /** To the end of the sentence; what follows the command's own words does not matter. */
    private static final Pattern TOLD = Pattern.compile("\\bposthorn (?!relay %)([^\".;:,(]+)");

    private CommandUses() {}

    /** Goes down the words of a command, and looks for its options. */
    static void assertExists(String line, Object page) {
        CommandLine command = walk(line, page);
        assertThat(command.getCommand() instanceof Callable || isGroupAsked(line, command))
                .as("\"%s\" in %s is a command, not a group of them", line, page)
                .isTrue();
    }

    /** Every command that a source tells people to run. What it puts together from parts is read as one text. */
    static void assertAllExist(String source, Object page) {
        String text = source.replaceAll("\"\\s*\\+\\s*\"", "").replaceAll("\"\\s*\\+[^;]*?\\+\\s*\"", "NAME");
        TOLD.matcher(text).results().forEach(told -> assertExists(told.group(1).strip(), page));
    }

    /** A group may be named where only its help is meant. */
    private static boolean isGroupAsked(String line, CommandLine group) {
        return line.contains("--help") && !group.getSubcommands().isEmpty();
    }

    private static CommandLine walk(String line, Object page) {
        CommandLine command =
                Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
        List<String> words = Arrays.asList(line.split(" ", -1));
        boolean first = true;
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next != null) {
                command = next;
            } else if (word.startsWith("--")) {
                assertThat(command.getCommandSpec().findOption(word.replaceAll("[=,.;].*", "")))
                        .as("%s of \"%s\" in %s", word, line, page)
                        .isNotNull();
            } else if (word.equals("|") || word.equals(">")) {
                return command;
            } else {
                assertThat(first).as("\"%s\" in %s", line, page).isFalse();
            }
            first = false;
        }
        return command;
    }
}
