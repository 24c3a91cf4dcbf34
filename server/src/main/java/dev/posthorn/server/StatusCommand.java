package dev.posthorn.server;

import dev.posthorn.console.StatusFindings;
import dev.posthorn.console.StatusFormat;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Command;

@Command(
        name = "status",
        description =
                "Shows the routes: who holds their lanes, how much waits and for how long, how fast they publish, whether a"
                        + " destination is away, which keys are blocked, how much is dead.",
        footer = {"  posthorn status", "  posthorn status --json"})
final class StatusCommand extends Overview {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    StatusCommand() {
        super(
                ANSWER,
                Ask.of("status"),
                (source, schema) -> StatusFormat.json(StatusFindings.look(source, schema)),
                status -> StatusText.of(status, Instant.now()));
    }
}
