package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.UnitOfWork;
import dev.posthorn.inbox.Units;
import dev.posthorn.testkit.TestInbox;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a transaction wrote is there when it is committed, and otherwise not. */
final class Book implements Units<List<UUID>>, TestInbox.Effects<List<UUID>> {

    private final List<UUID> kept = new CopyOnWriteArrayList<>();

    @Override
    public UnitOfWork<List<UUID>> begin() {
        List<UUID> written = new ArrayList<>();
        return new UnitOfWork<>() {
            @Override
            public List<UUID> transaction() {
                return written;
            }

            @Override
            public void commit() {
                kept.addAll(written);
            }

            @Override
            public void cancel() {
                // nothing of it takes long
            }

            @Override
            public void close() {
                written.clear();
            }
        };
    }

    @Override
    public Trouble troubleOf(Throwable failure) {
        return Trouble.LASTING;
    }

    @Override
    public void write(List<UUID> transaction, UUID event) {
        transaction.add(event);
    }

    @Override
    public List<UUID> kept() {
        return kept;
    }
}
