package dev.posthorn.demo;

import dev.posthorn.transport.Publisher;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line's {@code demo poker}. */
@Command(
        name = "poker",
        mixinStandardHelpOptions = true,
        description = {
            "Runs examples/poker: hands are played and seats are asked for, a relay publishes what happened to any transport, and a"
                    + " projector, two sagas, a process manager and a historian react; in the end one more part is deployed and"
                    + " catches up. Then tells, by SQL, whether everything had its effects, once and in order.",
            "",
            "Starts a Postgres and a broker of its own, which leave nothing behind; the broker must be installed.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every committed event had its effects, once and in order",
            "1:something was lost, invented, out of order or happened twice",
            "2:it could not run"
        },
        footer = {"  posthorn demo poker --transport kafka --events 4000"})
public final class PokerCommand implements Callable<Integer> {

    /** More than some brokers carry. */
    static final int LARGE_HISTORY = 300_000;

    /** What is particular to this demo. */
    record Play(String transport, double largeHistories) {}

    private final Streams streams;
    private final UnaryOperator<Publisher> wrapper;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private final ExampleOptions options = new ExampleOptions();

    @Option(
            names = "--transport",
            paramLabel = "KIND",
            defaultValue = "memory",
            description = "memory, ipc, rabbitmq, kafka, redis-streams, sns-sqs, google-pubsub or postgres-log."
                    + " Default: ${DEFAULT-VALUE}.")
    private String transport = "";

    @Option(
            names = "--large-histories",
            paramLabel = "SHARE",
            defaultValue = "0.01",
            description = "Share of hands whose history has 300,000 bytes. Default: ${DEFAULT-VALUE}.")
    private double largeHistories;

    public PokerCommand() {
        this(Streams.standard(), UnaryOperator.identity());
    }

    /** For tests: prints to these streams, and publishes through a wrapper. */
    PokerCommand(Streams streams, UnaryOperator<Publisher> wrapper) {
        this.streams = streams;
        this.wrapper = wrapper;
    }

    @Override
    public Integer call() {
        if (!PokerBroker.KINDS.contains(transport)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--transport is " + transport + ", but must be one of " + String.join(", ", PokerBroker.KINDS)
                            + ".");
        }
        return new Performance(streams, "demo poker").of(options, this::run);
    }

    private ExampleVerdict run(long seed, Goal goal) throws SQLException {
        try (Display display = new PlainLines(options.json ? streams.error() : streams.out())) {
            return new PokerDemo(
                            new ExampleRun.Setting(options, seed, goal, display, wrapper),
                            new Play(transport, largeHistories))
                    .run();
        }
    }
}
