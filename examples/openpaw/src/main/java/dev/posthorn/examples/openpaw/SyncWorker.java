package dev.posthorn.examples.openpaw;

import dev.posthorn.inbox.EventHandler;
import java.sql.Connection;
import java.util.function.Supplier;

/** Copies what is written at one site to the other, in both directions. Thread-safe. */
public final class SyncWorker {

    private final AssetRegistry registry;
    private final Supplier<LoopGuard> guard;

    public SyncWorker(AssetRegistry registry) {
        this(registry, () -> LoopGuard.BY_ORIGIN);
    }

    /** With a guard that may change. */
    SyncWorker(AssetRegistry registry, Supplier<LoopGuard> guard) {
        this.registry = registry;
        this.guard = guard;
    }

    // docs:start:openpaw-sync
    EventHandler<Connection> handler() {
        return EventHandler.of((event, connection) -> {
            AssetVersion version = AssetVersion.of(event);
            Site target = version.site().other();
            if (guard.get().lets(version, target)) {
                registry.copy(connection, event, target); // emits asset.version.created, which comes here, too
            }
        });
    }
    // docs:end:openpaw-sync
}
