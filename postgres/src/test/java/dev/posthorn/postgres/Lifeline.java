package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.relay.CheckpointStore;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.Log;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.StoreException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Everything through which a relay reaches the world. Once cut, nothing passes in either direction for ever: to all others
 * the relay is dead, whatever its threads still do. While frozen, every call waits, as in a stopped process.
 */
final class Lifeline {

    /** Where a relay can be cut off, in the order of an event's way. */
    enum Step {
        BEFORE_READ,
        AFTER_READ,
        BEFORE_PUBLISH,
        HALF_PUBLISHED,
        PUBLISHED_UNANSWERED,
        BEFORE_FLUSH,
        BEFORE_COMMIT,
        COMMITTED_UNANSWERED
    }

    private final CountDownLatch dead = new CountDownLatch(1);
    private volatile CountDownLatch frozen = new CountDownLatch(0);
    private volatile Step fatal = Step.BEFORE_READ;
    private int crossingsLeft = -1;

    void cut() {
        dead.countDown();
        frozen.countDown();
    }

    /** Cuts when the relay crosses this step for the n-th time. */
    synchronized void cutAt(Step step, int crossing) {
        fatal = step;
        crossingsLeft = crossing;
    }

    void freeze() {
        frozen = new CountDownLatch(1);
    }

    void thaw() {
        frozen.countDown();
    }

    boolean isCut() {
        return dead.getCount() == 0;
    }

    void awaitCut() throws InterruptedException {
        if (!dead.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("The relay never came to " + fatal);
        }
    }

    Relay.Stores around(Relay.Stores stores) {
        return new Relay.Stores(
                stores.route(),
                stores.relay(),
                new CuttableLog(stores.log()),
                new CuttableCheckpoints(stores.checkpoints()),
                new CuttableLeases(stores.leases()));
    }

    Publisher around(Publisher publisher) {
        return new CuttablePublisher(publisher);
    }

    /** Also between a flush's last statement and its commit, and between that and its answer. */
    void around(InterceptedDataSource dataSource) {
        dataSource.beforeCommit = () -> atCommit(Step.BEFORE_COMMIT);
        dataSource.afterCommit = () -> atCommit(Step.COMMITTED_UNANSWERED);
    }

    private void atCommit(Step step) throws SQLException {
        at(step);
        if (isCut()) {
            throw new SQLException("the connection is gone", "08006");
        }
    }

    private void at(Step step) {
        boolean now;
        synchronized (this) {
            now = step == fatal && crossingsLeft > 0 && --crossingsLeft == 0;
        }
        if (now) {
            cut();
        }
    }

    private void pass() {
        try {
            frozen.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (isCut()) {
            throw new StoreException("the relay is cut off", null);
        }
    }

    private <T> T call(Supplier<T> call) {
        pass();
        T answer = call.get();
        pass();
        return answer;
    }

    private final class CuttableLog implements Log {

        private final Log log;

        CuttableLog(Log log) {
            this.log = log;
        }

        @Override
        public RouteFilter filter() {
            return log.filter();
        }

        @Override
        public Page read(List<LaneRead> lanes) {
            at(Step.BEFORE_READ);
            return call(() -> {
                Page page = log.read(lanes);
                if (page.lanes().stream()
                        .anyMatch(
                                lane -> !lane.fresh().isEmpty() || !lane.late().isEmpty())) {
                    at(Step.AFTER_READ);
                }
                return page;
            });
        }

        @Override
        public Page readPinned(LaneRead lane) {
            return call(() -> log.readPinned(lane));
        }

        @Override
        public Windows readWindows(List<KeyWindow> windows) {
            return call(() -> log.readWindows(windows));
        }

        @Override
        public Map<UUID, Long> sizes(List<UUID> ids) {
            return call(() -> log.sizes(ids));
        }

        @Override
        public Map<UUID, Event> fetch(List<UUID> ids) {
            return call(() -> log.fetch(ids));
        }
    }

    private final class CuttableCheckpoints implements CheckpointStore {

        private final CheckpointStore checkpoints;

        CuttableCheckpoints(CheckpointStore checkpoints) {
            this.checkpoints = checkpoints;
        }

        @Override
        public List<LaneState> load(String relay, Collection<LeaseStore.Lease> leases) {
            return call(() -> checkpoints.load(relay, leases));
        }

        @Override
        public Set<Integer> flush(String relay, String incarnation, List<LaneFlush> lanes) {
            at(Step.BEFORE_FLUSH);
            return call(() -> checkpoints.flush(relay, incarnation, lanes));
        }

        @Override
        public Due due(Collection<Integer> lanes, int limit) {
            return call(() -> checkpoints.due(lanes, limit));
        }

        @Override
        public List<BlockedKey> released(int lane, Collection<String> heldKeys) {
            return call(() -> checkpoints.released(lane, heldKeys));
        }
    }

    private final class CuttableLeases implements LeaseStore {

        private final LeaseStore leases;

        CuttableLeases(LeaseStore leases) {
            this.leases = leases;
        }

        @Override
        public Renewal renew(String relay, Collection<Lease> held, Duration ttl, Report report) {
            return call(() -> leases.renew(relay, held, ttl, report));
        }

        @Override
        public Crew crew(String relay, Duration ttl) {
            return call(() -> leases.crew(relay, ttl));
        }

        @Override
        public List<Lease> acquire(String relay, int most, Duration ttl) {
            return call(() -> leases.acquire(relay, most, ttl));
        }

        @Override
        public void release(String relay, Collection<Lease> given) {
            pass();
            leases.release(relay, given);
        }

        @Override
        public void leave(String relay) {
            pass();
            leases.leave(relay);
        }
    }

    private final class CuttablePublisher implements Publisher {

        private final Publisher publisher;

        CuttablePublisher(Publisher publisher) {
            this.publisher = publisher;
        }

        @Override
        public void publish(List<? extends Publication> publications) {
            at(Step.BEFORE_PUBLISH);
            pass();
            List<Answered> mine = publications.stream().map(Answered::new).toList();
            int half = (mine.size() + 1) / 2;
            publisher.publish(mine.subList(0, half));
            at(Step.HALF_PUBLISHED);
            pass();
            if (half < mine.size()) {
                publisher.publish(mine.subList(half, mine.size()));
            }
            at(Step.PUBLISHED_UNANSWERED);
            mine.forEach(Answered::passOn);
        }

        @Override
        public void close() {
            publisher.close();
        }
    }

    /** Passes the outcome on when all of its batch is published, and only to the living. */
    private final class Answered implements Publication {

        private final Publication publication;
        private Outcome outcome = Outcome.unknown("not settled");

        Answered(Publication publication) {
            this.publication = publication;
        }

        @Override
        public Event event() {
            return publication.event();
        }

        @Override
        public int attempt() {
            return publication.attempt();
        }

        @Override
        public void settle(Outcome settled) {
            outcome = settled;
        }

        void passOn() {
            pass();
            publication.settle(outcome);
        }
    }
}
