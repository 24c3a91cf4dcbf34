package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Says which server to start and how. Not thread-safe. */
public final class EmbeddedPostgresBuilder {

    private final Map<String, String> settings = new TreeMap<>(Map.of(
            "max_connections", "200",
            "shared_buffers", "256MB",
            "timezone", "UTC",
            "log_timezone", "UTC"));
    private @Nullable Path binaries;
    private @Nullable EmbeddedPostgres primary;

    EmbeddedPostgresBuilder() {}

    /**
     * Uses the server in this folder, the one with {@code postgres} and {@code initdb}, instead of the bundled one.
     *
     * @see EmbeddedPostgres#installed
     */
    public EmbeddedPostgresBuilder binaries(Path folder) {
        this.binaries = folder.toAbsolutePath();
        return this;
    }

    /** Sets a server setting as in {@code postgresql.conf}, for example {@code max_prepared_transactions} to 10. */
    public EmbeddedPostgresBuilder setting(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /**
     * Trades durability for speed: nothing is forced to disk, so a crash of the machine loses data. For tests; never
     * for a benchmark.
     */
    public EmbeddedPostgresBuilder unsafeFast() {
        return setting("fsync", "off").setting("synchronous_commit", "off").setting("full_page_writes", "off");
    }

    /**
     * Makes it a streaming standby of that server: it begins with a copy of it and follows it, asynchronously and read-only,
     * until {@link EmbeddedPostgres#promote}. Both must be of one version, one that has {@code pg_basebackup}: an installed
     * one, as the bundled one has not.
     */
    public EmbeddedPostgresBuilder standbyOf(EmbeddedPostgres server) {
        this.primary = server;
        return this;
    }

    /**
     * Starts the server and waits until it accepts connections.
     *
     * @throws EmbeddedPostgresException if it cannot, with the end of its log
     */
    public EmbeddedPostgres start() {
        try {
            Folders folders = Folders.find();
            Binaries chosen = binaries == null ? Binaries.choose(folders) : Binaries.at(binaries);
            return primary == null
                    ? EmbeddedPostgres.start(Launch.prepare(chosen, folders, Map.copyOf(settings)))
                    : standby(chosen, folders, primary);
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The embedded Postgres server could not be prepared: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException("Interrupted while starting the embedded Postgres server", e);
        }
    }

    private EmbeddedPostgres standby(Binaries chosen, Folders folders, EmbeddedPostgres of)
            throws IOException, InterruptedException {
        Path copy = BaseBackup.of(of.port(), chosen, folders);
        try {
            return EmbeddedPostgres.start(Launch.onCopyOf(copy, chosen, folders, Map.copyOf(settings)));
        } finally {
            Folders.delete(copy);
        }
    }
}
