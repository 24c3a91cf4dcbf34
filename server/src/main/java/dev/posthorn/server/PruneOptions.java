package dev.posthorn.server;

import dev.posthorn.archive.FolderArchive;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.Schema;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** When events leave the log, and where to. */
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

    /** Throws what makes no sense before anything is done. */
    void check() {
        if (archive == null && archiveAfter != null) {
            throw wrong("--archive-after says when events are archived, but not where to: give --archive too.");
        }
        if (archive != null && retention != null) {
            throw wrong("With --archive, events leave the log at --archive-after. Leave --retention out.");
        }
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

    PostgresPruner pruner(DataSource database, Schema schema) {
        PostgresPruner plain = new PostgresPruner(database, schema, age());
        return archive == null ? plain : plain.withArchive(new FolderArchive(archive));
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
