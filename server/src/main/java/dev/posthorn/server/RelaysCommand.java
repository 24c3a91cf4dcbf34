package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "relays",
        description = "Looks at the relays that share the work.",
        subcommands = {RelaysCommand.Listing.class})
final class RelaysCommand {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    @Command(
            name = "list",
            description =
                    "Lists every relay of every route: how many lanes it holds, since when it runs, and how long ago it"
                            + " was seen. One that crashed stays listed for a day and holds none.")
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(ANSWER);
                    Output.Items items = output.items("relays", "No relay runs. Start one: posthorn relay --help")) {
                Instant now = Instant.now();
                for (LiveRelay relay : new PostgresInspection(source, database.schema()).relays()) {
                    items.add(
                            () -> StatusFormat.relay(relay).put("route", relay.route()),
                            () -> "route " + relay.route() + ": relay " + relay.name() + ", " + relay.lanes()
                                    + " lanes, running for " + StatusFormat.ago(relay.startedAt(), now) + ", seen "
                                    + StatusFormat.rounded(relay.silent()) + " ago");
                }
                return 0;
            }
        }
    }
}
