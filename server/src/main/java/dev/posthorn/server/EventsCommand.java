package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.EventsFormat;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresEventStory;
import dev.posthorn.postgres.PostgresEventStory.Story;
import dev.posthorn.postgres.Schema;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "events",
        description = "Looks at the events of the log.",
        subcommands = {EventsListCommand.Listing.class, EventsListCommand.Tail.class, EventsCommand.Show.class},
        footer = {"  posthorn events list --domain orders --limit 20", "  posthorn events tail --domain orders"})
final class EventsCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @Command(
            name = "show",
            description =
                    "Tells the whole story of one event: when it was emitted, what became of it on each route, each"
                            + " attempt that did not go through, what operators decided, and the replays it is part of. Shows"
                            + " neither payload nor headers.",
            footer = {"  posthorn events show 01890a5d-ac96-774b-bcce-b302099a8057"})
    static final class Show implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "ID", description = "The event.")
        private UUID id = new UUID(0, 0);

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            ObjectNode found = asked.answers(ANSWER)
                    .read(
                            Ask.of("events", id.toString()),
                            (source, schema) -> EventsFormat.story(story(source, schema)));
            output.print(found, EventsText::story);
            return 0;
        }

        private Story story(DataSource source, Schema schema) {
            Story story = new PostgresEventStory(source, schema).of(id);
            if (story.event().isEmpty() && story.happenings().isEmpty()) {
                throw new PosthornException("Event " + id + " is not in the log: it was not emitted or not"
                        + " committed, or it was pruned. If this log is archived, try posthorn archive show"
                        + " --folder FOLDER --id " + id);
            }
            return story;
        }
    }
}
