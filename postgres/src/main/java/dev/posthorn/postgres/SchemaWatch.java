package dev.posthorn.postgres;

import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the schema of a process at its start and while it runs. Logs once that the schema is newer than the process, which works
 * with it. Thread-safe.
 */
public final class SchemaWatch {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaWatch.class);

    private final DataSource database;
    private final Migrations migrations;
    private volatile Optional<String> note = Optional.empty();

    public SchemaWatch(DataSource database, Schema schema) {
        this.database = database;
        this.migrations = new Migrations(schema);
    }

    /** Prepares the schema for a process that starts; see {@link Migrations#prepare}. */
    public void prepare(Optional<Boolean> migrate, String setting) {
        migrations.prepare(database, migrate, setting);
        look();
    }

    /** Looks at the schema, and returns why this process cannot work with it; see {@link Migrations#trouble}. */
    public Optional<String> trouble() {
        look();
        return migrations.trouble(database);
    }

    /** Returns what the last look found and is no trouble. */
    public List<String> notes() {
        return note.stream().toList();
    }

    private synchronized void look() {
        Optional<String> now = migrations.note(database);
        if (!note.equals(now)) {
            now.ifPresent(newer -> LOG.warn("Older than the schema: {}", newer));
        }
        note = now;
    }
}
