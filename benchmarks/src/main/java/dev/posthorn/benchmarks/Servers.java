package dev.posthorn.benchmarks;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.EmbeddedPostgresBuilder;

/** The Postgres servers that benchmarks start. */
final class Servers {

    private Servers() {}

    /** With fsync and synchronous_commit on, and enough memory and WAL that only the contenders' work is measured. */
    static EmbeddedPostgres durable() {
        return tuned().setting("fsync", "on")
                .setting("synchronous_commit", "on")
                .start();
    }

    /** Nothing is forced to disk: for what does not depend on time. */
    static EmbeddedPostgres unsafeFast() {
        return tuned().unsafeFast().start();
    }

    /**
     * No checkpoint or vacuum of its own accord falls into a measurement; the benchmarks ask for both between them.
     * Statements are counted only where a session asks for it.
     */
    private static EmbeddedPostgresBuilder tuned() {
        return EmbeddedPostgres.builder()
                .setting("shared_buffers", "1GB")
                .setting("max_wal_size", "8GB")
                .setting("checkpoint_timeout", "1h")
                .setting("autovacuum", "off")
                .setting("shared_preload_libraries", "pg_stat_statements")
                .setting("pg_stat_statements.track", "none");
    }
}
