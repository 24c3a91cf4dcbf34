package dev.posthorn.demo;

import dev.posthorn.transport.Publisher;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line's {@code demo openpaw}. */
@Command(
        name = "openpaw",
        mixinStandardHelpOptions = true,
        description = {
            "Runs examples/openpaw: versions of assets are written, a relay publishes their events to Redis Streams, a stream for"
                    + " each type, and consumers send commands that settle rewards, count reputation and copy versions from"
                    + " site to site. Then tells, by SQL, whether every version had each of its effects, once and in order,"
                    + " and what is promised and what is not beside what was seen.",
            "",
            "Starts a Postgres and a Redis of its own, which leave nothing behind; Redis must be installed.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every committed event had its effects, once and in order",
            "1:something was lost, invented, out of order or happened twice",
            "2:it could not run"
        },
        footer = {"  posthorn demo openpaw"})
public final class OpenpawCommand implements Callable<Integer> {

    private final Streams streams;
    private final UnaryOperator<Publisher> wrapper;

    @Mixin
    private final ExampleOptions options = new ExampleOptions();

    public OpenpawCommand() {
        this(Streams.standard(), UnaryOperator.identity());
    }

    /** For tests: prints to these streams, and publishes through a wrapper. */
    OpenpawCommand(Streams streams, UnaryOperator<Publisher> wrapper) {
        this.streams = streams;
        this.wrapper = wrapper;
    }

    @Override
    public Integer call() {
        return new Performance(streams, "demo openpaw").of(options, this::run);
    }

    private ExampleVerdict run(long seed, Goal goal) throws SQLException {
        try (Display display = new PlainLines(options.json ? streams.error() : streams.out())) {
            return new OpenpawDemo(new ExampleRun.Setting(options, seed, goal, display, wrapper)).run();
        }
    }
}
