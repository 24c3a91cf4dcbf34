package dev.posthorn.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of the demo, as picocli fills them in. */
final class DemoOptions extends RunOptions {

    private static final int MOST_PRODUCERS = 100;

    @Option(
            names = "--database-url",
            paramLabel = "URL",
            description = {
                "Use this database instead of an embedded Postgres, as jdbc:postgresql://host/db?user=me or"
                        + " postgresql://me:secret@host/db.",
                "Creates the schema posthorn if it is missing, and makes the tables of the schema posthorn_demo anew;"
                        + " both stay afterwards."
            })
    @Nullable
    String databaseUrl;

    @Option(
            names = "--console-port",
            paramLabel = "PORT",
            defaultValue = "8025",
            description = "Where this host finds the console while the demo runs; any free port if it is taken."
                    + " Default: ${DEFAULT-VALUE}.")
    int consolePort;

    @Option(names = "--no-console", description = "Serve no console.")
    boolean noConsole;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "End after this many committed events; a transfer is two.")
    @Nullable
    Long events;

    @Option(
            names = "--producers",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many threads move money at once. Default: ${DEFAULT-VALUE}.")
    int producers;

    @Option(
            names = "--accounts",
            paramLabel = "N",
            defaultValue = "200",
            description = "How many accounts there are; each is a key with an order of its own."
                    + " Default: ${DEFAULT-VALUE}.")
    int accounts;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "At most this many events a second; 0 is as fast as it goes. Default: ${DEFAULT-VALUE}.")
    int rate;

    @Option(
            names = "--rollbacks",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Share of transactions that emit and then roll back. Default: ${DEFAULT-VALUE}.")
    double rollbacks;

    @Option(
            names = "--savepoints",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Share of transactions that emit, go back to a savepoint and then do something else."
                    + " Default: ${DEFAULT-VALUE}.")
    double savepoints;

    @Option(
            names = "--late-commits",
            paramLabel = "SHARE",
            defaultValue = "0.002",
            description =
                    "Share of transactions that stay open for 50 to 500 ms after emitting, so that others overtake"
                            + " them. Default: ${DEFAULT-VALUE}.")
    double lateCommits;

    @Option(
            names = "--fail-rate",
            paramLabel = "SHARE",
            defaultValue = "0.001",
            description =
                    "Share of events that the destination takes only after 1 to 4 failed attempts; their keys wait"
                            + " so long. Default: ${DEFAULT-VALUE}.")
    double failRate;

    @Option(
            names = "--refuse-rate",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Share of events that the destination refuses for good; they are shown as dead, also in the"
                    + " JSON. Default: ${DEFAULT-VALUE}.")
    double refuseRate;

    @Option(
            names = "--lost-answers",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Share of events that arrive while the answer gets lost, so that they are published again."
                    + " Default: ${DEFAULT-VALUE}.")
    double lostAnswers;

    @Option(
            names = "--outage",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = DurationText.class,
            description = "How long the destination is away each time; 0 for never. Default: ${DEFAULT-VALUE}.")
    Duration outage = Duration.ZERO;

    @Option(
            names = "--outage-every",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationText.class,
            description = "How long the destination is there in between, about. Default: ${DEFAULT-VALUE}.")
    Duration outageEvery = Duration.ZERO;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationText.class,
            description = "In the end, how long to wait for the backlog while nothing arrives; what is missing then is"
                    + " lost. Default: ${DEFAULT-VALUE}.")
    Duration patience = Duration.ZERO;

    @Override
    @Nullable
    Long events() {
        return events;
    }

    @Override
    String remark() {
        return databaseUrl == null ? "" : "The schemas posthorn and posthorn_demo stay in your database.";
    }

    @Override
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        require(
                producers >= 1 && producers <= MOST_PRODUCERS,
                "--producers",
                producers,
                "1 to " + MOST_PRODUCERS,
                faults);
        require(accounts >= 2 && accounts <= 1_000_000, "--accounts", accounts, "2 to 1000000", faults);
        require(consolePort >= 0 && consolePort <= 65_535, "--console-port", consolePort, "0 to 65535", faults);
        require(rate >= 0, "--rate", rate, "0 or more", faults);
        require(events == null || events > 0, "--events", events, "at least 1", faults);
        require(time == null || !time.isZero(), "--for", "0", "more than 0", faults);
        require(!outageEvery.isZero(), "--outage-every", "0", "more than 0; --outage 0 turns outages off", faults);
        require(!patience.isZero(), "--patience", "0", "more than 0", faults);
        share("--rollbacks", rollbacks, faults);
        share("--savepoints", savepoints, faults);
        share("--late-commits", lateCommits, faults);
        share("--fail-rate", failRate, faults);
        share("--refuse-rate", refuseRate, faults);
        share("--lost-answers", lostAnswers, faults);
        require(rollbacks < 1 || (events == null && time != null), "--rollbacks", rollbacks, "below 1", faults);
        return faults;
    }

    private static void share(String flag, double value, List<String> faults) {
        require(value >= 0 && value <= 1, flag, value, "a share from 0 to 1, such as 0.05", faults);
    }
}
