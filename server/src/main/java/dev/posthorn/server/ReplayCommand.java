package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresReplayDesk;
import dev.posthorn.replay.Replay;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "replay",
        description =
                "Publishes events again: starts, lists, cancels and resumes replays. The relays of the route, or the"
                        + " members of the consumer, publish them.",
        subcommands = {
            ReplayStartCommand.class,
            ReplayCommand.Listing.class,
            ReplayCommand.Cancel.class,
            ReplayCommand.Resume.class
        })
final class ReplayCommand {

    static final Duration ANSWER = Duration.ofSeconds(60);

    @Command(name = "list", description = "Lists replays with their progress, the newest first, at most a thousand.")
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(ANSWER)) {
                List<Replay> found = new PostgresReplayDesk(source, database.schema()).list();
                output.print(() -> ReplayFormat.list(found), () -> ReplayFormat.text(found));
                return 0;
            }
        }
    }

    @Command(
            name = "cancel",
            description =
                    "Ends a replay that is RUNNING or FAILED, for ever, within a few seconds. What it has published"
                            + " stays published; events it kept in the log may be pruned again. Recorded with the reason.")
    static final class Cancel implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Parameters(paramLabel = "ID", description = "The replay, as posthorn replay list shows it.")
        private UUID id = new UUID(0, 0);

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the record.")
        private String reason = "";

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            return change(database, output, id, desk -> desk.cancel(id, reason));
        }
    }

    @Command(
            name = "resume",
            description =
                    "Lets a replay that is FAILED go on with the event that stopped it. At most one page of events"
                            + " comes again. Recorded with the reason.")
    static final class Resume implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Parameters(paramLabel = "ID", description = "The replay, as posthorn replay list shows it.")
        private UUID id = new UUID(0, 0);

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            return change(database, output, id, desk -> desk.resume(id, reason));
        }
    }

    private interface Change {
        void make(PostgresReplayDesk desk);
    }

    private static int change(Database database, Output output, UUID id, Change change) {
        try (HikariDataSource source = database.connect(ANSWER)) {
            PostgresReplayDesk desk = new PostgresReplayDesk(source, database.schema());
            change.make(desk);
            Replay changed = desk.find(id);
            output.print(() -> ReplayFormat.one(changed), () -> ReplayFormat.text(changed));
            return 0;
        }
    }
}
