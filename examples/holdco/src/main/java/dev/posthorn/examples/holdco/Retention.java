package dev.posthorn.examples.holdco;

import dev.posthorn.archive.FolderArchive;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.Schema;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;

/** What the design asks for published rows: archive them after 30 to 90 days. */
public final class Retention {

    private Retention() {}

    // docs:start:holdco-retention
    /** Run it now and then, in any process: what was published longer ago leaves the log for the folder. */
    public static PostgresPruner archiving(DataSource database, Path folder, Duration age) {
        return new PostgresPruner(database, Schema.DEFAULT, age).withArchive(new FolderArchive(folder));
    }
    // docs:end:holdco-retention
}
