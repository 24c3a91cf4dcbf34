package dev.posthorn.demo;

import dev.posthorn.claimcheck.ClaimCheck;
import dev.posthorn.claimcheck.ClaimCheckConfig;
import dev.posthorn.claimcheck.ClaimingOutbox;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.payloadstores.filesystem.FolderPayloadStore;
import dev.posthorn.postgres.PostgresClaims;
import dev.posthorn.postgres.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Keeps the histories of long hands in a folder, so that they travel as references on every transport. */
final class PokerHistories implements AutoCloseable {

    private final Path folder;
    private final FolderPayloadStore store;
    private final PostgresClaims register;
    private final ClaimCheck check;

    private PokerHistories(Path folder, DataSource database) {
        this.folder = folder;
        this.store = new FolderPayloadStore(folder);
        this.register = new PostgresClaims(database, Schema.DEFAULT);
        this.check = new ClaimCheck(store, ClaimCheckConfig.DEFAULT);
    }

    static PokerHistories open(DataSource database) {
        try {
            return new PokerHistories(Files.createTempDirectory("poker-histories"), database);
        } catch (IOException e) {
            throw new PosthornException("There is no place for the histories: " + e.getMessage(), e);
        }
    }

    Outbox around(Outbox outbox) {
        return new ClaimingOutbox(outbox, store, register, ClaimCheckConfig.DEFAULT);
    }

    EventHandler<Connection> around(EventHandler<Connection> handler) {
        return check.around(handler);
    }

    @Override
    public void close() {
        store.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException left) {
            folder.toFile().deleteOnExit();
        }
    }
}
