package dev.posthorn.server;

import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "manual",
        description = "Prints the help of every command on one page, as Markdown.",
        footer = {"  posthorn manual | less"})
final class ManualCommand implements Callable<Integer> {

    private static final int WIDTH = 120;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        command.commandLine().getOut().print(page(command.root().commandLine()));
        command.commandLine().getOut().flush();
        return 0;
    }

    private static String page(CommandLine root) {
        StringBuilder page = new StringBuilder("""
                # Command line

                This page is printed by `./posthorn manual`; change it there. What the commands are for is told in
                [operations](operations.md).
                """);
        commands(root)
                .forEach(one -> page.append("\n## ")
                        .append(one.getCommandSpec().qualifiedName())
                        .append("\n\n```text\n")
                        .append(usage(one).strip())
                        .append("\n```\n"));
        return page.toString();
    }

    /** It and those below it, in the order of the help. */
    private static Stream<CommandLine> commands(CommandLine one) {
        return Stream.concat(
                Stream.of(one),
                one.getSubcommands().values().stream()
                        .distinct()
                        .filter(child -> !child.getCommandName().equals("help"))
                        .flatMap(ManualCommand::commands));
    }

    /** As wide on any terminal. */
    private static String usage(CommandLine one) {
        one.getCommandSpec().usageMessage().autoWidth(false).width(WIDTH);
        return one.getUsageMessage(Help.Ansi.OFF).replaceAll("[ \t]+\n", "\n");
    }
}
