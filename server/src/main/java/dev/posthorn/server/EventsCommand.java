package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresEventStory;
import dev.posthorn.postgres.PostgresEventStory.Story;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "events",
        description = "Looks at the events of the log.",
        subcommands = {EventsListCommand.Listing.class, EventsListCommand.Tail.class, EventsCommand.Show.class})
final class EventsCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @Command(
            name = "show",
            description =
                    "Tells the whole story of one event: when it was emitted, what became of it on each route, each"
                            + " attempt that did not go through, what operators decided, and the replays it is part of. Shows"
                            + " neither payload nor headers.")
    static final class Show implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Parameters(paramLabel = "ID", description = "The event.")
        private UUID id = new UUID(0, 0);

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(ANSWER)) {
                Story story = new PostgresEventStory(source, database.schema()).of(id);
                if (story.event().isEmpty() && story.happenings().isEmpty()) {
                    throw new PosthornException("Event " + id + " is not in the log: it was not emitted or not"
                            + " committed, or it was pruned. If this log is archived, try posthorn archive show"
                            + " --folder FOLDER --id " + id);
                }
                output.print(() -> EventsFormat.story(story), () -> EventsFormat.text(story));
                return 0;
            }
        }
    }
}
