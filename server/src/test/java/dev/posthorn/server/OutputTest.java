package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.console.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;

class OutputTest {

    @Command(name = "say")
    static final class Say implements Runnable {

        @Mixin
        private Output output = new Output();

        @Override
        public void run() {
            output.print(
                    () -> Json.object().put("said", "SERIOUS \u001b]0;evil"),
                    () -> "SERIOUS\tbroker said \u001b]0;evil\u0007\u009b31m and\nmore");
        }
    }

    @Test
    void whatIsWrongStandsOutOnATerminalOnly() {
        assertThat(said(Ansi.ON)).startsWith("\u001b[31mSERIOUS\u001b[0m\tbroker said ");
        assertThat(said(Ansi.OFF)).startsWith("SERIOUS\tbroker said ");
    }

    @Test
    void whatABrokerSaysCanNotSteerTheTerminal() {
        assertThat(said(Ansi.OFF)).isEqualTo("SERIOUS\tbroker said \uFFFD]0;evil\uFFFD\uFFFD31m and\nmore\n");
    }

    @Test
    void aProgramGetsItAsItIs() {
        assertThat(said(Ansi.ON, "--json")).isEqualTo("{\"said\":\"SERIOUS \\u001B]0;evil\"}\n");
    }

    private static String said(Ansi colours, String... args) {
        StringWriter out = new StringWriter();
        new CommandLine(new Say())
                .setOut(new PrintWriter(out))
                .setColorScheme(CommandLine.Help.defaultColorScheme(colours))
                .execute(args);
        return out.toString();
    }
}
