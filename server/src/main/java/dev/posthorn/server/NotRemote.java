package dev.posthorn.server;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** For commands that no process does for others: says why, and what to do, to who tries {@code --url}. */
final class NotRemote {

    private final String instead;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    NotRemote(String instead) {
        this.instead = instead;
    }

    @Option(
            names = "--url",
            paramLabel = "URL",
            hidden = true,
            description = "Not for this command: it needs the database itself.")
    @SuppressWarnings("DoNotCallSuggester") // picocli does, when the option is given
    void refuse(String url) {
        throw new ParameterException(command.commandLine(), "This is not done with --url. " + instead);
    }
}
