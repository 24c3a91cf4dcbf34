package dev.posthorn.server;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints a script that lets bash or zsh complete commands and options.",
        footer = {"  source <(posthorn completion)", "  posthorn completion > /etc/bash_completion.d/posthorn"})
final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        CommandSpec root = command.root();
        command.commandLine().getOut().print(AutoComplete.bash(root.name(), root.commandLine()));
        command.commandLine().getOut().flush();
        return 0;
    }
}
