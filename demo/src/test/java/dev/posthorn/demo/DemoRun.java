package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.transport.Publisher;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** One run of the command, and what it printed. */
record DemoRun(int exitCode, String out, String error) {

    static DemoRun of(String... arguments) {
        return of(UnaryOperator.identity(), arguments);
    }

    static DemoRun of(UnaryOperator<Publisher> wrapper, String... arguments) {
        return by(streams -> new DemoCommand(streams, wrapper), arguments);
    }

    /** Of any command that prints to streams. */
    static DemoRun by(Function<Streams, Callable<Integer>> command, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream error = new ByteArrayOutputStream();
        PrintStream errorStream = new PrintStream(error, true, StandardCharsets.UTF_8);
        Streams streams = new Streams(new PrintStream(out, true, StandardCharsets.UTF_8), errorStream, false);
        int code = new CommandLine(command.apply(streams))
                .setErr(new PrintWriter(errorStream, true, StandardCharsets.UTF_8))
                .execute(arguments);
        return new DemoRun(code, out.toString(StandardCharsets.UTF_8), error.toString(StandardCharsets.UTF_8));
    }

    /** One event is dropped, or two of a key are swapped, and nothing else goes wrong. */
    static DemoRun sabotaged(Function<Streams, Callable<Integer>> command, int events) {
        return by(command, "--json", "--events=" + events, "--patience=5s", "--lost-answers=0", "--fail-rate=0");
    }

    /** All arrived, once and in order, and the verdict has every key that each demo has. */
    void assertClean(int events, long seed) {
        assertThat(out)
                .matches("\\{\"committed\":" + events + ",\"published\":" + events
                        + ",\"lost\":0,\"invented\":0,\"duplicates\":[0-9]+,\"out_of_order\":0,"
                        + "\"lag_p50_ms\":[0-9.]+,\"lag_p99_ms\":[0-9.]+,\"events_per_s\":[0-9]+,\"seed\":" + seed
                        + "}\n");
        assertThat(number("lag_p50_ms")).isPositive();
        assertThat(exitCode).isZero();
    }

    /** A number of the JSON verdict. */
    double number(String key) {
        Matcher matcher = Pattern.compile("\"" + key + "\":(-?[0-9.]+)[,}]").matcher(out);
        if (!matcher.find()) {
            throw new AssertionError("No " + key + " in: " + out + error);
        }
        return Double.parseDouble(matcher.group(1));
    }
}
