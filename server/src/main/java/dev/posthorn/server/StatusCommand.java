package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.StatusFindings;
import dev.posthorn.console.StatusFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "status",
        description =
                "Shows the routes: who holds their lanes, how much waits and for how long, how fast they publish, whether a"
                        + " destination is away, which keys are blocked, how much is dead.",
        footer = {"  posthorn status", "  posthorn status --json"})
final class StatusCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    @Mixin
    private Asked asked = new Asked();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        ObjectNode found = asked.answers(ANSWER)
                .read(Ask.of("status"), (source, schema) -> StatusFormat.json(StatusFindings.look(source, schema)));
        output.print(found, status -> StatusText.of(status, Instant.now()));
        return 0;
    }
}
