package dev.posthorn.demo;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that every demo has, as picocli fills them in. */
abstract class RunOptions {

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "End after this time, as in 30s or 2m. Without --events and --for it runs until Ctrl-C.")
    @Nullable
    Duration time;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "For the random choices; threads still interleave as they like. Default: a new one, printed.")
    @Nullable
    Long seed;

    @Option(
            names = "--json",
            description =
                    "Print the verdict as one JSON object to standard output, and the progress to standard error.")
    boolean json;

    /** End after this many committed events; null for no such end. */
    abstract @Nullable Long events();

    /** Said after the verdict; empty for nothing. */
    String remark() {
        return "";
    }

    /** Everything that is wrong with them; empty if nothing is. */
    abstract List<String> faults();

    static void require(boolean holds, String flag, @Nullable Object value, String range, List<String> faults) {
        if (!holds) {
            faults.add(flag + " is " + value + ", but must be " + range);
        }
    }
}
