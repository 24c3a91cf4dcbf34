package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresConsumerDesk;
import dev.posthorn.postgres.PostgresConsumerDesk.ConsumerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "consumers",
        description = "Lists, pauses and resumes consumers. Their members see a change within seconds.",
        subcommands = {ConsumersCommand.Listing.class, ConsumersCommand.Pause.class, ConsumersCommand.Resume.class})
final class ConsumersCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @Command(
            name = "list",
            description =
                    "Lists every consumer: its dead letters, whether it is paused, and how each member is by its own"
                            + " word. A member that has said nothing for 30 s is shown as gone.")
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(ANSWER)) {
                List<ConsumerStatus> found = new PostgresConsumerDesk(source, database.schema()).list();
                output.print(() -> ConsumersFormat.list(found), () -> ConsumersFormat.text(found, Instant.now()));
                return 0;
            }
        }
    }

    /** Which consumer, and why. */
    private abstract static class Changing implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Parameters(paramLabel = "NAME", description = "The consumer.")
        private String name = "";

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
        private @Nullable String reason;

        @Mixin
        private Output output = new Output();

        int make(boolean pause) {
            try (HikariDataSource source = database.connect(ANSWER)) {
                PostgresConsumerDesk desk = new PostgresConsumerDesk(source, database.schema());
                boolean changed = pause ? desk.pause(name, reason) : desk.resume(name, reason);
                String verb = pause ? "pause" : "resume";
                String again = pause ? " was paused already." : " was not paused.";
                output.print(
                        () -> Json.object()
                                .put("action", verb)
                                .put("consumer", name)
                                .put("changed", changed),
                        () -> "Consumer " + name + (changed ? ": " + verb + "d." : again));
                return 0;
            }
        }
    }

    @Command(
            name = "pause",
            description = "Lets a consumer take nothing more until it is resumed. Its events wait at the broker.")
    static final class Pause extends Changing {
        @Override
        public Integer call() {
            return make(true);
        }
    }

    @Command(name = "resume", description = "Lets a paused consumer go on where it was.")
    static final class Resume extends Changing {
        @Override
        public Integer call() {
            return make(false);
        }
    }
}
