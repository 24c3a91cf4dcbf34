package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.demo.Terminal;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a command's answer goes, for people or for programs. */
final class Output {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--json", description = "Prints one JSON object to standard output and nothing else there.")
    private boolean json;

    private @Nullable Boolean watched;

    void print(Supplier<ObjectNode> forPrograms, Supplier<String> forPeople) {
        PrintWriter out = command.commandLine().getOut();
        out.println(json ? Json.line(forPrograms.get()) : forPeople.get().stripTrailing());
        out.flush();
    }

    /** Tells a person at a terminal how far it is. */
    void progress(long done, long total) {
        if (watched == null) {
            watched = Terminal.isStandardError();
        }
        if (watched) {
            PrintWriter err = command.commandLine().getErr();
            err.printf(Locale.ROOT, "%,d of %,d…\r", done, total);
            err.flush();
        }
    }

    /** A list too long to hold: each item is printed as it comes. For programs it is an object with one array. */
    Items items(String name, String ifNone) {
        return new Items(name, ifNone);
    }

    /** One item after the other. */
    final class Items implements AutoCloseable {

        private final PrintWriter out = command.commandLine().getOut();
        private final String ifNone;
        private boolean any;

        private Items(String name, String ifNone) {
            this.ifNone = ifNone;
            if (json) {
                out.print("{\"" + name + "\":[");
            }
        }

        void add(Supplier<ObjectNode> forPrograms, Supplier<String> forPeople) {
            if (json) {
                out.print((any ? "," : "") + Json.line(forPrograms.get()));
            } else {
                out.println(forPeople.get());
            }
            any = true;
        }

        @Override
        public void close() {
            if (json) {
                out.println("]}");
            } else if (!any) {
                out.println(ifNone);
            }
            out.flush();
        }
    }
}
