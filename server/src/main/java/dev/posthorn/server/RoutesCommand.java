package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RouteStart;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "routes",
        description = "Creates, lists, pauses, resumes and retires routes. Relays and producers go on meanwhile; every"
                + " relay of a route sees a change within a second.",
        subcommands = {
            RoutesCommand.Listing.class,
            RoutesCommand.Create.class,
            RoutesCommand.Pause.class,
            RoutesCommand.Resume.class,
            RoutesCommand.Retire.class
        })
final class RoutesCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    private interface Change {
        boolean make(PostgresRoutes routes);
    }

    @Command(name = "list", description = "Lists every route: what it wants, where it began, whether it is paused.")
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(ANSWER)) {
                List<RouteStatus> found = new PostgresRoutes(source, database.schema()).list();
                output.print(() -> RoutesFormat.list(found), () -> RoutesFormat.text(found, Instant.now()));
                return 0;
            }
        }
    }

    @Command(
            name = "create",
            description =
                    "Creates a route unless it is there. A relay that is started for a new name does so by itself.",
            footer = {"", "Example: posthorn routes create audit --domain orders --domain payments --start beginning"})
    static final class Create implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Parameters(paramLabel = "NAME", description = "The new route.")
        private String name = "";

        @Mixin
        private RouteOptions options = new RouteOptions();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            Route route = options.route(name);
            return change(database, output, "create", name, routes -> routes.create(route), "is there already");
        }
    }

    /** What the commands that change a route have in common. */
    private abstract static class Changing implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Parameters(paramLabel = "NAME", description = "The route.")
        private String name = "";

        @Mixin
        private Output output = new Output();

        Integer change(String verb, String again, Change change) {
            return RoutesCommand.change(database, output, verb, name, change, again);
        }

        String name() {
            return name;
        }
    }

    @Command(name = "pause", description = "Publishes nothing of a route until it is resumed. Its events wait.")
    static final class Pause extends Changing {

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Override
        public Integer call() {
            return change("pause", "was paused already", routes -> routes.pause(name(), reason));
        }
    }

    @Command(name = "resume", description = "Lets a paused route go on where it was.")
    static final class Resume extends Changing {

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Override
        public Integer call() {
            return change("resume", "was not paused", routes -> routes.resume(name(), reason));
        }
    }

    @Command(
            name = "retire",
            description = "Ends a route for good: nothing of it is published, and no event is kept for it any more.")
    static final class Retire extends Changing {

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the record.")
        private String reason = "";

        @Override
        public Integer call() {
            return change("retire", "was retired already", routes -> routes.retire(name(), reason));
        }
    }

    private static Integer change(
            Database database, Output output, String verb, String name, Change change, String again) {
        try (HikariDataSource source = database.connect(ANSWER)) {
            boolean changed = change.make(new PostgresRoutes(source, database.schema()));
            output.print(
                    () -> Json.object().put("action", verb).put("route", name).put("changed", changed),
                    () -> changed ? "Route " + name + ": " + verb + "d." : "Route " + name + " " + again + ".");
            return 0;
        }
    }

    /** What a route is created with. */
    static final class RouteOptions {

        @Option(names = "--domain", paramLabel = "NAME", description = "Only events of this domain; repeatable.")
        private List<String> domains = List.of();

        @Option(names = "--type", paramLabel = "NAME", description = "Only events of this type; repeatable.")
        private List<String> types = List.of();

        @Option(names = "--tenant", paramLabel = "NAME", description = "Only events of this tenant; repeatable.")
        private List<String> tenants = List.of();

        @Option(
                names = "--start",
                paramLabel = "WHERE",
                defaultValue = "now",
                description = "Where a new route begins: now, beginning, or a time such as 2026-03-01T00:00:00Z."
                        + " Default: ${DEFAULT-VALUE}.")
        private RouteStart start = RouteStart.now();

        /** Whether a filter was asked for. */
        boolean filters() {
            return !(domains.isEmpty() && types.isEmpty() && tenants.isEmpty());
        }

        Route route(String name) {
            try {
                return new Route(
                        name,
                        new RouteFilter(
                                new LinkedHashSet<>(domains), new LinkedHashSet<>(types), new LinkedHashSet<>(tenants)),
                        start);
            } catch (IllegalArgumentException invalid) {
                throw new PosthornException(String.valueOf(invalid.getMessage()), invalid);
            }
        }
    }
}
