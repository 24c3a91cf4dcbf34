package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerReport;
import dev.posthorn.inbox.ConsumerState;
import dev.posthorn.inbox.ConsumerStore;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.HandoverStore;
import dev.posthorn.inbox.Redriven;
import dev.posthorn.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** A member that ends while it reports. */
class ConsumerFarewellTest {

    /** Reports as slowly as it is let. */
    private static final class SlowStore implements ConsumerStore<Connection> {

        private final ConsumerStore<Connection> store;
        final Semaphore allowed = new Semaphore(1);

        SlowStore(ConsumerStore<Connection> store) {
            this.store = store;
        }

        @Override
        public ConsumerState report(ConsumerReport report) {
            allowed.acquireUninterruptibly(); // as a driver that waits for its server
            return store.report(report);
        }

        @Override
        public void leave(String consumer, String member) {
            store.leave(consumer, member);
        }

        @Override
        public List<Redriven> redriven(String consumer, int limit) {
            return store.redriven(consumer, limit);
        }

        @Override
        public boolean take(Connection transaction, UUID letter) {
            return store.take(transaction, letter);
        }

        @Override
        public Optional<HandoverStore> handovers() {
            return store.handovers();
        }

        @Override
        public void deadAgain(UUID letter, String reason) {
            store.deadAgain(letter, reason);
        }
    }

    @Test
    void isNotTakenForAliveAfterwards() throws SQLException, InterruptedException {
        try (ConsumerHarness harness = new ConsumerHarness()) {
            Equipment<Connection> standard = PostgresInbox.equipment(harness.pool, Schema.DEFAULT);
            SlowStore slow = new SlowStore(standard.store());
            Consumer<Connection> consumer = Consumer.start(
                    harness.bus,
                    ConsumerHarness.config(),
                    Handlers.<Connection>none().onAll("bill", ConsumerHarness.effect("bill")),
                    new Equipment<>(standard.inbox(), standard.deadLetters(), slow));
            Await.until("the second report hangs", slow.allowed::hasQueuedThreads);

            Thread closing = new Thread(consumer::close);
            closing.start();
            Await.until("it waits for the report", () -> closing.getState() == Thread.State.TIMED_WAITING);
            slow.allowed.release();
            closing.join();

            assertThat(harness.rows("SELECT member FROM posthorn.consumer_member"))
                    .isEmpty();
        }
    }
}
