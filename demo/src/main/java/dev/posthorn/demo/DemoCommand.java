package dev.posthorn.demo;

import dev.posthorn.transport.Publisher;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line's {@code demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Moves money between accounts and publishes an event for each change, while transactions roll back and"
                    + " commit late and the destination fails and goes away. Then tells, by SQL, whether what arrived is"
                    + " what was committed.",
            "",
            "Runs on an embedded Postgres that leaves nothing behind, unless --database-url names another.",
            ""
        },
        subcommands = {
            HoldcoCommand.class,
            TransfersCommand.class,
            OpenpawCommand.class,
            LicensesCommand.class,
            PokerCommand.class
        },
        synopsisSubcommandLabel = "[COMMAND]",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every committed event arrived, in order",
            "1:something was lost, invented or out of order",
            "2:it could not run"
        },
        footer = {"  posthorn demo", "  posthorn demo --json"})
public final class DemoCommand implements Callable<Integer> {

    private final Streams streams;
    private final UnaryOperator<Publisher> wrapper;

    @Mixin
    private final DemoOptions options = new DemoOptions();

    public DemoCommand() {
        this(Streams.standard(), UnaryOperator.identity());
    }

    /** For tests: prints to these streams, and publishes through a wrapper. */
    DemoCommand(Streams streams, UnaryOperator<Publisher> wrapper) {
        this.streams = streams;
        this.wrapper = wrapper;
    }

    @Override
    public Integer call() {
        return new Performance(streams, "demo").of(options, this::run);
    }

    private Verdict run(long seed, Goal goal) throws SQLException {
        try (Display display = display()) {
            return new Demo(options, seed, goal, display, wrapper).run();
        }
    }

    private Display display() {
        if (options.json) {
            return new PlainLines(streams.error());
        }
        return streams.isTerminal()
                ? new LiveScreen(streams.out(), Terminal.isUnicode())
                : new PlainLines(streams.out());
    }
}
