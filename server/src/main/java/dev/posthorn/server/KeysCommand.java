package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.KeysFormat;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresInspection;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "keys",
        description = "Looks at single keys.",
        subcommands = {KeysCommand.Show.class},
        footer = {"  posthorn keys show order-4711"})
final class KeysCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @Command(
            name = "show",
            description = "Tells where a key waits, for which event and why, how many wait, and its newest events.",
            footer = {"  posthorn keys show order-4711"})
    static final class Show implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "KEY", description = "The key, as it was emitted.")
        private String key = "";

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "20",
                description = "How many of its newest events to list. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            ObjectNode found = asked.answers(ANSWER)
                    .read(
                            Ask.of("keys").with("key", key).with("limit", limit),
                            (source, schema) -> KeysFormat.json(
                                    key,
                                    new PostgresInspection(source, schema).key(key),
                                    new PostgresEvents(source, schema).ofKey(key, PostgresEvents.END, limit)));
            output.print(found, answer -> EventsText.key(answer, Instant.now()));
            return 0;
        }
    }
}
