package dev.posthorn.demo;

import dev.posthorn.transport.Publisher;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line's {@code demo transfers}. */
@Command(
        name = "transfers",
        mixinStandardHelpOptions = true,
        description = {
            "Runs examples/transfers: transfers are submitted, a relay publishes their events to an SNS FIFO topic, and the"
                    + " consumers of four SQS FIFO queues submit them on a rail, post them, project them and hear how they went."
                    + " Then tells, by SQL, whether every transfer had each of its effects, once and in order.",
            "",
            "Starts a Postgres and an emulator of SNS and SQS of its own, which leave nothing behind; the emulator is installed"
                    + " with npm, once, if it is missing.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every committed event had its effects, once and in order",
            "1:something was lost, invented, out of order or happened twice",
            "2:it could not run"
        },
        footer = {"  posthorn demo transfers"})
public final class TransfersCommand implements Callable<Integer> {

    private final Streams streams;
    private final UnaryOperator<Publisher> wrapper;

    @Mixin
    private final ExampleOptions options = new ExampleOptions();

    public TransfersCommand() {
        this(Streams.standard(), UnaryOperator.identity());
    }

    /** For tests: prints to these streams, and publishes through a wrapper. */
    TransfersCommand(Streams streams, UnaryOperator<Publisher> wrapper) {
        this.streams = streams;
        this.wrapper = wrapper;
    }

    @Override
    public Integer call() {
        return new Performance(streams, "demo transfers").of(options, this::run);
    }

    private ExampleVerdict run(long seed, Goal goal) throws SQLException {
        try (Display display = new PlainLines(options.json ? streams.error() : streams.out())) {
            return new TransfersDemo(new ExampleRun.Setting(options, seed, goal, display, wrapper)).run();
        }
    }
}
