package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.demo.Terminal;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a command's answer goes, for people or for programs. */
final class Output {

    private static final Pattern STEERING = Pattern.compile("[\\p{Cntrl}\u0080-\u009f&&[^\n\t]]");
    private static final Pattern WRONG =
            Pattern.compile("\\b(SERIOUS|PAUSED|OPEN|GONE|TROUBLE|DAMAGED|NOT REACHED|FAILED)\\b");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--json", description = "Prints one JSON object to standard output and nothing else there.")
    private boolean json;

    private @Nullable Boolean watched;

    void print(Supplier<ObjectNode> forPrograms, Supplier<String> forPeople) {
        PrintWriter out = command.commandLine().getOut();
        out.println(
                json
                        ? Json.line(forPrograms.get())
                        : shown(command, forPeople.get().stripTrailing()));
        out.flush();
    }

    /**
     * As a person may see it. What brokers and payloads say can not steer the terminal; what is wrong stands out, if it is one
     * that shows colours.
     */
    static String shown(CommandSpec command, String text) {
        String plain = STEERING.matcher(text).replaceAll("\uFFFD");
        return command.commandLine().getColorScheme().ansi().enabled()
                ? WRONG.matcher(plain).replaceAll("\u001b[31m$0\u001b[0m")
                : plain;
    }

    /** The same answer for both. */
    void print(ObjectNode answer, Function<JsonNode, String> forPeople) {
        print(() -> answer, () -> forPeople.apply(answer));
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

    /**
     * A list too long to hold: each item is printed as it comes. For programs it is an object with one array. Nothing is printed
     * before the first item, or before {@link Items#end}, so that a command that fails first prints its failure alone.
     */
    Items items(String name, String ifNone) {
        return new Items(name, ifNone);
    }

    /** One item after the other. */
    final class Items {

        private final PrintWriter out = command.commandLine().getOut();
        private final String name;
        private final String ifNone;
        private boolean any;

        private Items(String name, String ifNone) {
            this.name = name;
            this.ifNone = ifNone;
        }

        private String opening() {
            return "{\"" + name + "\":[";
        }

        void add(Supplier<ObjectNode> forPrograms, Supplier<String> forPeople) {
            if (json) {
                out.print((any ? "," : opening()) + Json.line(forPrograms.get()));
            } else {
                out.println(shown(command, forPeople.get()));
            }
            any = true;
        }

        /** The same item for both. */
        void add(ObjectNode item, Function<JsonNode, String> forPeople) {
            add(() -> item, () -> forPeople.apply(item));
        }

        /** There are no more items. */
        void end() {
            if (json) {
                out.println((any ? "" : opening()) + "]}");
            } else if (!any) {
                out.println(ifNone);
            }
            out.flush();
        }
    }
}
