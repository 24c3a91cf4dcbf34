package dev.posthorn.benchmarks;

import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.inbox.InboxSession;
import java.sql.Connection;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** The same transactions without a mark: every event is taken for new. */
record UnmarkedInbox(Inbox<Connection> real) implements Inbox<Connection> {

    @Override
    public InboxSession<Connection> begin() {
        return new Session(real.begin());
    }

    @Override
    public Trouble troubleOf(Throwable failure) {
        return real.troubleOf(failure);
    }

    private record Session(InboxSession<Connection> real) implements InboxSession<Connection> {

        @Override
        public Connection transaction() {
            return real.transaction();
        }

        @Override
        public Set<UUID> firstTimes(HandlerId handler, Collection<UUID> events) {
            return new HashSet<>(events);
        }

        @Override
        public void commit() {
            real.commit();
        }

        @Override
        public void cancel() {
            real.cancel();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
