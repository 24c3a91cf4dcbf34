package dev.posthorn.server;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A question to the person at the terminal before many things are changed at once. Scripts answer it with options. */
final class Confirmation {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--yes", description = "Changes many without asking. A script needs it, with --reason.")
    private boolean yes;

    /** Returns the reason, which is asked for if there is none. */
    String reason(@Nullable String given) {
        Optional<String> reason = Optional.ofNullable(given).filter(text -> !text.isBlank());
        return reason.or(() -> ask("Reason, for the record: "))
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(), "This may change many dead letters: say why with --reason."));
    }

    /** Returns if it is confirmed to do this to so many. */
    void confirm(String verb, long count) {
        if (yes || count == 0) {
            return;
        }
        String question = String.format(Locale.ROOT, "%s %,d dead letters? [y/N] ", capital(verb), count);
        String answer = ask(question)
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(),
                        String.format(
                                Locale.ROOT,
                                "This would %s %,d dead letters. Confirm it with --yes, or see them first with --dry-run.",
                                verb,
                                count)));
        if (!answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
            throw new ParameterException(command.commandLine(), "Not confirmed. Nothing was changed.");
        }
    }

    private static String capital(String verb) {
        return verb.substring(0, 1).toUpperCase(Locale.ROOT) + verb.substring(1);
    }

    /** Empty where nobody is at a terminal. */
    private static Optional<String> ask(String question) {
        return Optional.ofNullable(System.console()).map(terminal -> terminal.readLine("%s", question));
    }
}
