package dev.posthorn.server;

import dev.posthorn.console.Retention;
import dev.posthorn.postgres.InboxRetention;
import dev.posthorn.postgres.PostgresPruner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** When events leave the log, and where to; and when consumers forget. */
final class PruneOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            description = "How long an event is kept after every live route has published it. Default: 30d.")
    private @Nullable Duration retention;

    @Option(
            names = "--archive",
            paramLabel = "FOLDER",
            description =
                    "Archives events into this folder, and removes them only once they are there and verified. The"
                            + " folder must exist. From then on nothing is pruned from this log without an archive; see"
                            + " posthorn archive.")
    private @Nullable Path archive;

    @Option(
            names = "--archive-after",
            paramLabel = "TIME",
            description =
                    "With --archive, in place of --retention: how long after every live route has published an event"
                            + " it is archived and removed. Default: 30d.")
    private @Nullable Duration archiveAfter;

    @Option(
            names = "--inbox-retention",
            paramLabel = "TIME",
            defaultValue = "30d",
            description =
                    "How long consumers know what they handled; what comes again later is handled again. Make it the"
                            + " longest: longer than the log, the broker and dead letters keep events, one after the other. Default: ${DEFAULT-VALUE}.")
    private Duration inboxRetention = InboxRetention.STANDARD;

    @Option(
            names = "--command-retention",
            paramLabel = "TIME",
            defaultValue = "36h",
            description =
                    "How long after its workflow run ended a command is known; one that comes again later is run again."
                            + " Default: ${DEFAULT-VALUE}.")
    private Duration commandRetention = InboxRetention.COMMANDS;

    @Option(
            names = "--position-retention",
            paramLabel = "TIME",
            defaultValue = "400d",
            description =
                    "How long after it moved a handler's position in a key is known; later the key begins anew, with"
                            + " whatever comes first. Default: ${DEFAULT-VALUE}.")
    private Duration positionRetention = InboxRetention.POSITIONS;

    @Option(
            names = "--broker-retention",
            paramLabel = "TIME",
            defaultValue = "0d",
            description =
                    "How long the broker keeps what it may deliver again, such as 7d on Kafka or 4d on SQS. It only"
                            + " serves the warning that --inbox-retention is too short. Default: ${DEFAULT-VALUE}.")
    private Duration brokerRetention = Duration.ZERO;

    @Option(
            names = "--dead-letter-retention",
            paramLabel = "[DOMAIN=]TIME",
            description =
                    "How long dead letters of consumers are kept, also those nobody has decided about; of one domain, or"
                            + " of all that have none of their own. May be repeated. Default: for ever.")
    private List<String> letterRetention = List.of();

    /** Throws what makes no sense before anything is done. */
    void check() {
        if (archive == null && archiveAfter != null) {
            throw wrong("--archive-after says when events are archived, but not where to: give --archive too.");
        }
        if (archive != null && retention != null) {
            throw wrong("With --archive, events leave the log at --archive-after. Leave --retention out.");
        }
        InboxRetention unused = inboxRetention();
    }

    /** Whether any of them was given. */
    boolean isGiven() {
        return command.commandLine().getParseResult().matchedOptions().stream()
                .anyMatch(option -> option.longestName().endsWith("retention")
                        || option.longestName().startsWith("--archive"));
    }

    /** How long after it was published an event leaves the log. */
    Duration age() {
        Duration given = archive == null ? retention : archiveAfter;
        return given == null ? PostgresPruner.STANDARD_RETENTION : given;
    }

    /** Where to, or null for nowhere. */
    @Nullable
    Path archive() {
        return archive;
    }

    Retention retention() {
        return new Retention(age(), archive, inboxRetention(), brokerRetention);
    }

    private InboxRetention inboxRetention() {
        Map<String, Duration> byDomain = new TreeMap<>();
        Duration ofAll = null;
        for (String given : letterRetention) {
            int equals = given.lastIndexOf('=');
            Duration time = time(given.substring(equals + 1));
            boolean again = equals < 0 ? ofAll != null : byDomain.put(given.substring(0, equals), time) != null;
            if (again) {
                throw wrong("--dead-letter-retention is given twice for the same: " + given);
            }
            ofAll = equals < 0 ? time : ofAll;
        }
        return new InboxRetention(
                inboxRetention, Optional.ofNullable(ofAll), byDomain, commandRetention, positionRetention);
    }

    private Duration time(String text) {
        try {
            return new DurationConverter().convert(text);
        } catch (TypeConversionException invalid) {
            throw wrong("--dead-letter-retention: " + invalid.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
