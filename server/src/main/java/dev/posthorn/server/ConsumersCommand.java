package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.ChangedFormat;
import dev.posthorn.console.ConsumersFormat;
import dev.posthorn.console.Json;
import dev.posthorn.postgres.PostgresConsumerDesk;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "consumers",
        description = "Lists, pauses and resumes consumers. Their members see a change within seconds.",
        subcommands = {ConsumersCommand.Listing.class, ConsumersCommand.Pause.class, ConsumersCommand.Resume.class},
        footer = {"  posthorn consumers list", "  posthorn consumers pause billing --reason 'the ledger is moved'"})
final class ConsumersCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @Command(
            name = "list",
            description =
                    "Lists every consumer: its dead letters, whether it is paused, and how each member is by its own"
                            + " word. A member that has said nothing for 30 s is shown as gone.",
            footer = {"  posthorn consumers list --json"})
    static final class Listing extends Overview {

        Listing() {
            super(
                    ANSWER,
                    Ask.of("consumers"),
                    (source, schema) -> ConsumersFormat.list(new PostgresConsumerDesk(source, schema).list()),
                    answer -> ConsumersText.of(answer, Instant.now()));
        }
    }

    /** Which consumer, and why. */
    private abstract static class Changing implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "NAME", description = "The consumer.")
        private String name = "";

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Mixin
        private Output output = new Output();

        int make(boolean pause) throws InterruptedException {
            String verb = pause ? "pause" : "resume";
            ObjectNode done = asked.answers(ANSWER)
                    .change(Ask.of("consumers", name, verb), Json.object().put("reason", reason), (source, schema) -> {
                        PostgresConsumerDesk desk = new PostgresConsumerDesk(source, schema);
                        boolean changed = pause ? desk.pause(name, reason) : desk.resume(name, reason);
                        return ChangedFormat.json(verb, "consumer", name, changed);
                    });
            String already = pause ? "was paused already" : "was not paused";
            output.print(done, answer -> ChangedText.of(answer, "consumer", already));
            return 0;
        }
    }

    @Command(
            name = "pause",
            description = "Lets a consumer take nothing more until it is resumed. Its events wait at the broker.",
            footer = {"  posthorn consumers pause billing --reason 'the ledger is moved'"})
    static final class Pause extends Changing {
        @Override
        public Integer call() throws InterruptedException {
            return make(true);
        }
    }

    @Command(
            name = "resume",
            description = "Lets a paused consumer go on where it was.",
            footer = {"  posthorn consumers resume billing --reason 'the ledger is there again'"})
    static final class Resume extends Changing {
        @Override
        public Integer call() throws InterruptedException {
            return make(false);
        }
    }
}
