package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Json;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresDestinations;
import dev.posthorn.postgres.PostgresDestinations.Destination;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "destinations",
        description =
                "Lists the exchanges, topics, streams and queues that relays and consumers use, and lets those that"
                        + " disappeared be created again.",
        subcommands = {DestinationsCommand.Listing.class, DestinationsCommand.Create.class},
        footer = {"  posthorn destinations list", "  posthorn destinations create posthorn-events-orders"})
final class DestinationsCommand {

    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final String INSTEAD = "Run it with --database-url.";

    @Command(
            name = "list",
            description =
                    "Lists every destination: where it is, whether it is missing, and whether anybody subscribes.",
            footer = {"  posthorn destinations list --json"})
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private NotRemote unusedUrl = new NotRemote(INSTEAD);

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            List<Destination> all;
            try (HikariDataSource source = database.connect(ANSWER)) {
                all = new PostgresDestinations(source, database.schema()).list();
            }
            output.print(() -> json(all), () -> text(all));
            return 0;
        }

        private static ObjectNode json(List<Destination> all) {
            ObjectNode node = Json.object();
            node.set("destinations", Json.array(all, one -> {
                ObjectNode item = Json.object()
                        .put("place", one.place())
                        .put("kind", one.kind())
                        .put("name", one.name())
                        .put("first_seen", one.firstSeen().toString())
                        .put("missing_since", Json.time(one.missingSince()))
                        .put("unheard_since", Json.time(one.unheardSince()));
                item.set("routes", Json.strings(one.routes()));
                return item;
            }));
            return node;
        }

        private static String text(List<Destination> all) {
            return all.isEmpty()
                    ? "No destination was used yet."
                    : all.stream().map(Listing::text).collect(Collectors.joining("\n"));
        }

        private static String text(Destination one) {
            return one.kind() + " " + one.name() + " at " + one.place()
                    + (one.routes().isEmpty() ? "" : ", route " + String.join(", ", one.routes()))
                    + one.missingSince()
                            .map(since -> ", MISSING since " + since)
                            .orElse("")
                    + one.unheardSince()
                            .map(since -> ", without subscribers since " + since)
                            .orElse("");
        }
    }

    @Command(
            name = "create",
            description =
                    "Lets a missing destination be created by the relay or consumer that needs it, within seconds."
                            + " Subscribers that lost their subscription have to subscribe again: restart them.",
            footer = {"  posthorn destinations create posthorn-events-orders --reason 'the broker was set up anew'"})
    static final class Create implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private NotRemote unusedUrl = new NotRemote(INSTEAD);

        @Parameters(paramLabel = "NAME", description = "The destination, as the message or the list names it.")
        private String name = "";

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            int allowed;
            try (HikariDataSource source = database.connect(ANSWER)) {
                allowed = new PostgresDestinations(source, database.schema()).allow(name, reason);
            }
            if (allowed == 0) {
                throw new PosthornException("No destination \"" + name
                        + "\" is missing. See posthorn destinations list for those that are.");
            }
            output.print(
                    () -> Json.object().put("name", name).put("allowed", allowed),
                    () -> "The relay or consumer that needs " + name + " creates it at its next attempt.");
            return 0;
        }
    }
}
