package dev.posthorn.console;

import dev.posthorn.archive.FolderArchive;
import dev.posthorn.postgres.InboxRetention;
import dev.posthorn.postgres.PostgresDoctor;
import dev.posthorn.postgres.PostgresInboxPruner;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.Schema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * How long things are kept.
 *
 * @param age how long after it was published an event leaves the log
 * @param archive where to, or null for nowhere
 * @param broker how long the broker keeps what it may deliver again
 */
public record Retention(Duration age, @Nullable Path archive, InboxRetention inbox, Duration broker) {

    public PostgresPruner pruner(DataSource database, Schema schema) {
        PostgresPruner plain = new PostgresPruner(database, schema, age);
        return archive == null ? plain : plain.withArchive(new FolderArchive(archive));
    }

    public PostgresInboxPruner inboxPruner(DataSource database, Schema schema) {
        return new PostgresInboxPruner(database, schema, inbox);
    }

    /** A doctor that knows of it. */
    public PostgresDoctor tell(PostgresDoctor doctor) {
        return doctor.withRetention(inbox, age, broker);
    }

    /** What may be handled twice like this. */
    public List<String> warnings() {
        return inbox.warnings(age, broker);
    }
}
