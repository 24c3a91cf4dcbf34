package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.ChangedFormat;
import dev.posthorn.console.Json;
import dev.posthorn.console.RoutesFormat;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresRoutes;
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
        description =
                "Creates, lists, pauses, resumes, tests, redirects and retires routes. Relays and producers go on meanwhile; every"
                        + " relay of a route sees a change within a second.",
        subcommands = {
            RoutesCommand.Listing.class,
            RoutesCommand.Create.class,
            RoutesCommand.Pause.class,
            RoutesCommand.Resume.class,
            RoutesCommand.Test.class,
            RouteRedirect.class,
            RoutesCommand.Retire.class
        },
        footer = {"  posthorn routes list", "  posthorn routes pause orders --reason 'the broker is moved'"})
final class RoutesCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    private interface Change {
        boolean make(PostgresRoutes routes);
    }

    @Command(
            name = "list",
            description = "Lists every route: what it wants, where it began, whether it is paused.",
            footer = {"  posthorn routes list --json"})
    static final class Listing extends Overview {

        Listing() {
            super(
                    ANSWER,
                    Ask.of("routes"),
                    (source, schema) -> RoutesFormat.list(new PostgresRoutes(source, schema).list()),
                    answer -> RoutesText.of(answer, Instant.now()));
        }
    }

    @Command(
            name = "create",
            description =
                    "Creates a route unless it is there. A relay that is started for a new name does so by itself.",
            footer = {"  posthorn routes create audit --domain orders --domain payments --start beginning"})
    static final class Create implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "NAME", description = "The new route.")
        private String name = "";

        @Mixin
        private RouteOptions options = new RouteOptions();

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            Route route = options.route(name);
            ObjectNode done = asked.answers(ANSWER)
                    .change(
                            Ask.of("routes"),
                            wish(route),
                            (source, schema) -> ChangedFormat.json(
                                    "create", "route", name, new PostgresRoutes(source, schema).create(route, reason)));
            output.print(done, answer -> ChangedText.of(answer, "route", "is there already"));
            return 0;
        }

        private ObjectNode wish(Route route) {
            ObjectNode wish = Json.object()
                    .put("name", route.name())
                    .put("start", route.start().toString())
                    .put("reason", reason);
            wish.set("domains", Json.strings(route.filter().domains()));
            wish.set("types", Json.strings(route.filter().types()));
            wish.set("tenants", Json.strings(route.filter().tenants()));
            wish.set("except_tenants", Json.strings(route.filter().exceptTenants()));
            return wish;
        }
    }

    /** What the commands that change a route have in common. */
    private abstract static class Changing implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "NAME", description = "The route.")
        private String name = "";

        @Mixin
        private Output output = new Output();

        Integer change(String verb, @Nullable String reason, String already, Change change)
                throws InterruptedException {
            ObjectNode done = asked.answers(ANSWER)
                    .change(
                            Ask.of("routes", name, verb),
                            Json.object().put("reason", reason),
                            (source, schema) -> ChangedFormat.json(
                                    verb, "route", name, change.make(new PostgresRoutes(source, schema))));
            output.print(done, answer -> ChangedText.of(answer, "route", already));
            return 0;
        }

        String name() {
            return name;
        }
    }

    @Command(
            name = "pause",
            description = "Publishes nothing of a route until it is resumed. Its events wait.",
            footer = {"  posthorn routes pause orders --reason 'the broker is moved'"})
    static final class Pause extends Changing {

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Override
        public Integer call() throws InterruptedException {
            return change("pause", reason, "was paused already", routes -> routes.pause(name(), reason));
        }
    }

    @Command(
            name = "resume",
            description = "Lets a paused route go on where it was.",
            footer = {"  posthorn routes resume orders --reason 'the broker is there again'"})
    static final class Resume extends Changing {

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Override
        public Integer call() throws InterruptedException {
            return change("resume", reason, "was not paused", routes -> routes.resume(name(), reason));
        }
    }

    @Command(
            name = "test",
            description =
                    "Sends a marked event through a route, which no handler of Posthorn is called for, and reports each hop."
                            + " Ends with 1 if a hop is not reached in time, and says what stands in the way.",
            footer = {"  posthorn routes test orders --consumer billing"})
    static final class Test implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "NAME", description = "The route.")
        private String name = "";

        @Mixin
        private WireTestOptions options = new WireTestOptions();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            return options.run(name, asked, output);
        }
    }

    @Command(
            name = "retire",
            description = "Ends a route for good: nothing of it is published, and no event is kept for it any more.",
            footer = {"  posthorn routes retire audit --reason 'nobody reads it'"})
    static final class Retire extends Changing {

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the record.")
        private String reason = "";

        @Override
        public Integer call() throws InterruptedException {
            return change("retire", reason, "was retired already", routes -> routes.retire(name(), reason));
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
                names = "--except-tenant",
                paramLabel = "TENANT",
                description = "No events of this tenant, which has a route of its own; may be repeated.")
        private List<String> exceptTenants = List.of();

        @Option(
                names = "--start",
                paramLabel = "WHERE",
                defaultValue = "auto",
                description = "Where a new route starts: now, beginning, a time such as 2026-03-01T00:00:00Z, or auto:"
                        + " the beginning for the first routes of a log, now for later ones. Default:"
                        + " ${DEFAULT-VALUE}.")
        private RouteStart start = RouteStart.auto();

        /** Whether a filter was asked for. */
        boolean filters() {
            return !(domains.isEmpty() && types.isEmpty() && tenants.isEmpty() && exceptTenants.isEmpty());
        }

        Route route(String name) {
            try {
                return new Route(
                        name,
                        new RouteFilter(
                                new LinkedHashSet<>(domains),
                                new LinkedHashSet<>(types),
                                new LinkedHashSet<>(tenants),
                                new LinkedHashSet<>(exceptTenants)),
                        start);
            } catch (IllegalArgumentException invalid) {
                throw new PosthornException(String.valueOf(invalid.getMessage()), invalid);
            }
        }
    }
}
