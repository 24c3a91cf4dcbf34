package dev.posthorn.demo;

import dev.posthorn.transport.Publisher;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line's {@code demo licenses}. */
@Command(
        name = "licenses",
        mixinStandardHelpOptions = true,
        description = {
            "Runs examples/licenses: stores upload licenses and somebody decides about them, a relay publishes their events to one"
                    + " topic of Google Pub/Sub, and a worker writes a notice about each, with marks in Redis. Then tells, by SQL,"
                    + " whether every change of a license had its notice, once and in order.",
            "",
            "Starts a Postgres, Google's emulator of Pub/Sub and a Redis of its own, which leave nothing behind. The design's six"
                    + " variables (PACKFINDERZ_…) are respected, but for attempts and their pauses.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every committed event had its notice, once and in order",
            "1:something was lost, invented, out of order or happened twice",
            "2:it could not run"
        },
        footer = {"  posthorn demo licenses"})
public final class LicensesCommand implements Callable<Integer> {

    private final Streams streams;
    private final UnaryOperator<Publisher> wrapper;

    @Mixin
    private final ExampleOptions options = new ExampleOptions();

    public LicensesCommand() {
        this(Streams.standard(), UnaryOperator.identity());
    }

    /** For tests: prints to these streams, and publishes through a wrapper. */
    LicensesCommand(Streams streams, UnaryOperator<Publisher> wrapper) {
        this.streams = streams;
        this.wrapper = wrapper;
    }

    @Override
    public Integer call() {
        return new Performance(streams, "demo licenses").of(options, this::run);
    }

    private ExampleVerdict run(long seed, Goal goal) throws SQLException {
        try (Display display = new PlainLines(options.json ? streams.error() : streams.out())) {
            return new LicensesDemo(new ExampleRun.Setting(options, seed, goal, display, wrapper)).run();
        }
    }
}
