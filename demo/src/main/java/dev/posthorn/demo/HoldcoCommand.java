package dev.posthorn.demo;

import dev.posthorn.transport.Publisher;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line's {@code demo holdco}. */
@Command(
        name = "holdco",
        mixinStandardHelpOptions = true,
        description = {
            "Runs examples/holdco: orders, payments, invoices, stock and prices change, a relay publishes their events to"
                    + " RabbitMQ, and five consumers have effects. Then tells, by SQL, whether every queue's effects are"
                    + " those of what was committed, once each and in order.",
            "",
            "Starts a Postgres and a RabbitMQ of its own, which leave nothing behind; RabbitMQ must be installed.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every committed event had its effects, once and in order",
            "1:something was lost, invented, out of order or happened twice",
            "2:it could not run"
        },
        footer = {"  posthorn demo holdco"})
public final class HoldcoCommand implements Callable<Integer> {

    private final Streams streams;
    private final UnaryOperator<Publisher> wrapper;

    @Mixin
    private final ExampleOptions options = new ExampleOptions();

    public HoldcoCommand() {
        this(Streams.standard(), UnaryOperator.identity());
    }

    /** For tests: prints to these streams, and publishes through a wrapper. */
    HoldcoCommand(Streams streams, UnaryOperator<Publisher> wrapper) {
        this.streams = streams;
        this.wrapper = wrapper;
    }

    @Override
    public Integer call() {
        return new Performance(streams, "demo holdco").of(options, this::run);
    }

    private HoldcoVerdict run(long seed, Goal goal) throws SQLException {
        try (Display display = new PlainLines(options.json ? streams.error() : streams.out())) {
            return new HoldcoDemo(new ExampleRun.Setting(options, seed, goal, display, wrapper)).run();
        }
    }
}
