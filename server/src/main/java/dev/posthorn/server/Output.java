package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a command's answer goes, for people or for programs. */
final class Output {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--json", description = "Prints one JSON object to standard output and nothing else there.")
    private boolean json;

    void print(Supplier<ObjectNode> forPrograms, Supplier<String> forPeople) {
        PrintWriter out = command.commandLine().getOut();
        out.println(json ? Json.line(forPrograms.get()) : forPeople.get().stripTrailing());
        out.flush();
    }
}
