package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.StatusFormat;
import dev.posthorn.postgres.PostgresInspection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

@Command(
        name = "relays",
        description = "Looks at the relays that share the work.",
        subcommands = {RelaysCommand.Listing.class},
        footer = {"  posthorn relays list"})
final class RelaysCommand {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    @Command(
            name = "list",
            description =
                    "Lists every relay of every route: how many lanes it holds, since when it runs, and how long ago it"
                            + " was seen. One that crashed stays listed for a day and holds none.",
            footer = {"  posthorn relays list --json"})
    static final class Listing extends Overview {

        Listing() {
            super(
                    ANSWER,
                    Ask.of("relays"),
                    (source, schema) -> StatusFormat.relays(new PostgresInspection(source, schema).relays()),
                    RelaysCommand::text);
        }
    }

    private static String text(JsonNode answer) {
        List<JsonNode> relays = Fields.each(answer, "relays");
        Instant now = Instant.now();
        return relays.isEmpty()
                ? "No relay runs. Start one: posthorn relay --help"
                : relays.stream().map(relay -> StatusText.relay(relay, now)).collect(Collectors.joining("\n"));
    }
}
