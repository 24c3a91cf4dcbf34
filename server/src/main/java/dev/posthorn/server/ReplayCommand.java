package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.console.ReplayFormat;
import dev.posthorn.postgres.PostgresReplayDesk;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "replay",
        description =
                "Publishes events again: starts, lists, cancels and resumes replays. The relays of the route, or the"
                        + " members of the consumer, publish them.",
        subcommands = {
            ReplayStartCommand.class,
            ReplayCommand.Listing.class,
            ReplayCommand.Cancel.class,
            ReplayCommand.Resume.class
        },
        footer = {
            "  posthorn replay start --route orders --from 2026-03-01T00:00:00Z --dry-run",
            "  posthorn replay list"
        })
final class ReplayCommand {

    static final Duration ANSWER = Duration.ofSeconds(60);

    @Command(
            name = "list",
            description = "Lists replays with their progress, the newest first, at most a thousand.",
            footer = {"  posthorn replay list --json"})
    static final class Listing extends Overview {

        Listing() {
            super(
                    ANSWER,
                    Ask.of("replays"),
                    (source, schema) -> ReplayFormat.list(new PostgresReplayDesk(source, schema).list()),
                    ReplayText::list);
        }
    }

    @Command(
            name = "cancel",
            description =
                    "Ends a replay that is RUNNING or FAILED, for ever, within a few seconds. What it has published"
                            + " stays published; events it kept in the log may be pruned again. Recorded with the reason.",
            footer = {"  posthorn replay cancel 01890a5d-ac96-774b-bcce-b302099a8057 --reason 'the wrong day'"})
    static final class Cancel implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "ID", description = "The replay, as posthorn replay list shows it.")
        private UUID id = new UUID(0, 0);

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the record.")
        private String reason = "";

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            return change(asked.answers(ANSWER), output, "cancel", id, reason);
        }
    }

    @Command(
            name = "resume",
            description =
                    "Lets a replay that is FAILED go on with the event that stopped it. At most one page of events"
                            + " comes again. Recorded with the reason.",
            footer = {
                "  posthorn replay resume 01890a5d-ac96-774b-bcce-b302099a8057 --reason 'the queue is there again'"
            })
    static final class Resume implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "ID", description = "The replay, as posthorn replay list shows it.")
        private UUID id = new UUID(0, 0);

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            return change(asked.answers(ANSWER), output, "resume", id, reason);
        }
    }

    private static int change(Answers answers, Output output, String verb, UUID id, @Nullable String reason)
            throws InterruptedException {
        ObjectNode changed = answers.change(
                Ask.of("replays", id.toString(), verb), Json.object().put("reason", reason), (source, schema) -> {
                    PostgresReplayDesk desk = new PostgresReplayDesk(source, schema);
                    if (verb.equals("cancel")) {
                        desk.cancel(id, String.valueOf(reason));
                    } else {
                        desk.resume(id, reason);
                    }
                    return ReplayFormat.one(desk.find(id));
                });
        output.print(changed, ReplayText::one);
        return 0;
    }
}
