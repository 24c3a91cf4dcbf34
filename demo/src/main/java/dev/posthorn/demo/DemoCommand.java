package dev.posthorn.demo;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Publisher;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
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
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every committed event arrived, in order",
            "1:something was lost, invented or out of order",
            "2:it could not run"
        })
public final class DemoCommand implements Callable<Integer> {

    private static final int COULD_NOT_RUN = 2;
    private static final long SEEDS = 1_000_000;

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
        List<String> faults = options.faults();
        if (!faults.isEmpty()) {
            return refuse(String.join("; ", faults) + ". See: posthorn demo --help");
        }
        Goal goal = new Goal(options.events, options.time);
        try (Ending ending = new Ending(goal)) {
            int code = run(goal);
            ending.exitCode(code);
            return code;
        }
    }

    private int run(Goal goal) {
        long seed = options.seed == null ? ThreadLocalRandom.current().nextLong(SEEDS) : options.seed;
        Verdict verdict;
        try (Display display = display()) {
            verdict = new Demo(options, seed, goal, display, wrapper).run();
        } catch (SQLException | PosthornException failed) {
            return refuse(String.valueOf(failed.getMessage()));
        }
        PrintStream out = streams.out();
        if (options.json) {
            out.println(verdict.json());
        } else {
            verdict.lines().forEach(out::println);
        }
        if (options.databaseUrl != null) {
            (options.json ? streams.error() : out)
                    .println("The schemas posthorn and posthorn_demo stay in your database.");
        }
        out.flush();
        return verdict.exitCode();
    }

    private Display display() {
        if (options.json) {
            return new PlainLines(streams.error());
        }
        return streams.isTerminal()
                ? new LiveScreen(streams.out(), Terminal.isUnicode())
                : new PlainLines(streams.out());
    }

    private int refuse(String why) {
        streams.out().flush();
        streams.error().println("posthorn: " + why);
        streams.error().flush();
        return COULD_NOT_RUN;
    }
}
