package dev.posthorn.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of the demos of the examples, as picocli fills them in. */
final class ExampleOptions extends RunOptions {

    private static final int MOST_PRODUCERS = 50;

    @Option(names = "--events", paramLabel = "N", description = "End after this many committed events.")
    @Nullable
    Long events;

    @Option(
            names = "--producers",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many threads do business at once. Default: ${DEFAULT-VALUE}.")
    int producers;

    @Option(
            names = "--rollbacks",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Share of transactions that emit and then roll back. Default: ${DEFAULT-VALUE}.")
    double rollbacks;

    @Option(
            names = "--fail-rate",
            paramLabel = "SHARE",
            defaultValue = "0.005",
            description =
                    "Share of events that go through only after 1 to 4 failed attempts. Default: ${DEFAULT-VALUE}.")
    double failRate;

    @Option(
            names = "--lost-answers",
            paramLabel = "SHARE",
            defaultValue = "0.01",
            description =
                    "Share of events whose confirm gets lost, so that they are published again and the consumers have"
                            + " to recognise them. Default: ${DEFAULT-VALUE}.")
    double lostAnswers;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = DurationText.class,
            description = "In the end, how long to wait while nothing more happens; what is missing then is lost."
                    + " Default: ${DEFAULT-VALUE}.")
    Duration patience = Duration.ZERO;

    @Override
    @Nullable
    Long events() {
        return events;
    }

    @Override
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        require(producers >= 1 && producers <= MOST_PRODUCERS, "--producers", producers, "1 to 50", faults);
        require(events == null || events > 0, "--events", events, "at least 1", faults);
        require(time == null || !time.isZero(), "--for", "0", "more than 0", faults);
        require(!patience.isZero(), "--patience", "0", "more than 0", faults);
        require(rollbacks >= 0 && rollbacks < 1, "--rollbacks", rollbacks, "a share from 0 to below 1", faults);
        require(failRate >= 0 && failRate <= 1, "--fail-rate", failRate, "a share from 0 to 1", faults);
        require(lostAnswers >= 0 && lostAnswers <= 1, "--lost-answers", lostAnswers, "a share from 0 to 1", faults);
        return faults;
    }
}
