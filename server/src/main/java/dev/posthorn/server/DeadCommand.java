package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresDeadEvents;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresInspection.DeadEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "dead",
        description = "Lists events that failed for good, sends them back, or gives them up.",
        subcommands = {DeadCommand.Listing.class, DeadCommand.Redrive.class, DeadCommand.Discard.class})
final class DeadCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** An event, and what was decided about it or would be. */
    record Decision(DeadEvent event, String answer) {}

    @Command(name = "list", description = "Lists events that failed for good, oldest first.")
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Option(names = "--route", paramLabel = "NAME", description = "Of this route only. Default: of all.")
        private @Nullable String route;

        @Option(names = "--event", paramLabel = "ID", description = "This event only.")
        private @Nullable UUID event;

        @Option(
                names = "--limit",
                paramLabel = "COUNT",
                defaultValue = "100",
                description = "At most so many. Default: ${DEFAULT-VALUE}.")
        private int limit = 100;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(ANSWER)) {
                List<DeadEvent> found = new PostgresInspection(source, database.schema()).dead(route, event, limit);
                output.print(() -> DeadFormat.list(found), () -> DeadFormat.text(found, Instant.now()));
                return 0;
            }
        }
    }

    /** Which events, and why. */
    static final class Selection {

        /** Either. */
        static final class Which {

            @Option(
                    names = "--event",
                    paramLabel = "ID",
                    required = true,
                    description = "This event; may be given several times.")
            private List<UUID> events = List.of();

            @Option(names = "--all", required = true, description = "All of the route.")
            private boolean all;
        }

        @Option(names = "--route", required = true, paramLabel = "NAME", description = "The route on which they died.")
        private String route = "";

        @ArgGroup(multiplicity = "1")
        private Which which = new Which();

        @Option(names = "--dry-run", description = "Only tells which events it would be.")
        private boolean dryRun;

        List<DeadEvent> find(PostgresInspection inspection) {
            if (which.all) {
                return inspection.dead(route, null, Integer.MAX_VALUE);
            }
            List<DeadEvent> found = new ArrayList<>();
            for (UUID event : which.events) {
                List<DeadEvent> one = inspection.dead(route, event, 1);
                if (one.isEmpty()) {
                    throw new PosthornException("Event " + event + " is not dead on route \"" + route
                            + "\"; nothing was changed. See: posthorn dead list");
                }
                found.addAll(one);
            }
            return found;
        }
    }

    private interface Decider {
        String decide(PostgresDeadEvents dead, DeadEvent event);
    }

    @Command(
            name = "redrive",
            description = "Sends dead events back to where they died: in place if their key waits for them, else by"
                    + " themselves, out of order. Each is recorded with its reason.")
    static final class Redrive implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private Selection selection = new Selection();

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            return decideAll(
                    database,
                    selection,
                    output,
                    "redrive",
                    (dead, event) -> dead.redrive(event.route(), event.id(), reason));
        }
    }

    @Command(
            name = "discard",
            description = "Gives dead events up for ever; a key that waits for one goes on. Each is recorded with its"
                    + " reason.")
    static final class Discard implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private Selection selection = new Selection();

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the record.")
        private String reason = "";

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            return decideAll(
                    database,
                    selection,
                    output,
                    "discard",
                    (dead, event) -> dead.discard(event.route(), event.id(), reason));
        }
    }

    private static int decideAll(Database database, Selection selection, Output output, String verb, Decider decider) {
        List<Decision> decisions = new ArrayList<>();
        try (HikariDataSource source = database.connect(ANSWER)) {
            PostgresDeadEvents dead = new PostgresDeadEvents(source, database.schema());
            for (DeadEvent event : selection.find(new PostgresInspection(source, database.schema()))) {
                String answer = selection.dryRun ? "would " + verb : decider.decide(dead, event);
                decisions.add(new Decision(event, answer));
            }
        }
        output.print(
                () -> DeadFormat.decisions(verb, selection.dryRun, decisions),
                () -> DeadFormat.text(verb, selection.dryRun, decisions));
        return 0;
    }
}
