package dev.posthorn.demo;

import dev.posthorn.event.PosthornException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What every demo does around its own run: refuses flags that make no sense, ends at its goal or with Ctrl-C, and tells the
 * verdict.
 *
 * @param command as it is typed, for hints
 */
record Performance(Streams streams, String command) {

    private static final int COULD_NOT_RUN = 2;
    private static final long SEEDS = 1_000_000;

    /** The run itself. */
    interface Run {
        Told run(long seed, Goal goal) throws SQLException;
    }

    /** Returns the exit code. */
    int of(RunOptions options, Run run) {
        List<String> faults = options.faults();
        if (!faults.isEmpty()) {
            return refuse(String.join("; ", faults) + ". See: posthorn " + command + " --help");
        }
        Goal goal = new Goal(options.events(), options.time);
        try (Ending ending = new Ending(goal)) {
            int code = run(options, goal, run);
            ending.exitCode(code);
            return code;
        }
    }

    private int run(RunOptions options, Goal goal, Run run) {
        long seed = options.seed == null ? ThreadLocalRandom.current().nextLong(SEEDS) : options.seed;
        Told verdict;
        try {
            verdict = run.run(seed, goal);
        } catch (SQLException | PosthornException failed) {
            return refuse(String.valueOf(failed.getMessage()));
        }
        PrintStream out = streams.out();
        if (options.json) {
            out.println(verdict.json());
        } else {
            verdict.lines().forEach(out::println);
        }
        if (!options.remark().isEmpty()) {
            (options.json ? streams.error() : out).println(options.remark());
        }
        out.flush();
        return verdict.exitCode();
    }

    private int refuse(String why) {
        streams.out().flush();
        streams.error().println("posthorn: " + why);
        streams.error().flush();
        return COULD_NOT_RUN;
    }
}
