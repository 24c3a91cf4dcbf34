package dev.posthorn.demo;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that does business until the goal is reached. */
final class ExampleProducer implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ExampleProducer.class);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);
    private static final int MOST_ERRORS_IN_A_ROW = 100;

    private final Office office;
    private final double rollbacks;
    private final Random random;

    /** What happens in each transaction. */
    interface Business {
        /** Changes something and emits an event, whose id is the answer. */
        UUID happen(Connection connection, Random random) throws SQLException;
    }

    /**
     * What all producers share.
     *
     * @param eventsEach how many events there will be in the end for each that a producer emits
     * @param committed called after each commit
     */
    record Office(
            DataSource pool,
            Business business,
            int eventsEach,
            Goal goal,
            Workplace.Meters meters,
            Runnable committed) {}

    ExampleProducer(Office office, double rollbacks, long seed) {
        this.office = office;
        this.rollbacks = rollbacks;
        this.random = new Random(seed);
    }

    @Override
    public void run() {
        int errors = 0;
        while (office.goal().reserve(office.eventsEach())) {
            boolean committed = false;
            try (Connection connection = office.pool().getConnection()) {
                connection.setAutoCommit(false);
                committed = transact(connection);
                errors = 0;
            } catch (SQLException | PosthornException failed) {
                if (++errors == MOST_ERRORS_IN_A_ROW) {
                    LOG.error("A producer gives up, as nothing worked for a while: {}", failed.toString());
                    office.goal().stop();
                }
                LockSupport.parkNanos(PAUSE_AFTER_ERROR.toNanos());
            } finally {
                if (!committed) {
                    office.goal().giveBack(office.eventsEach());
                }
            }
        }
    }

    private boolean transact(Connection connection) throws SQLException {
        UUID event = office.business().happen(connection, random);
        if (random.nextDouble() < rollbacks) {
            connection.rollback();
            office.meters().tally().rolledBack.increment();
            return false;
        }
        office.meters().lag().commitSent(event);
        connection.commit();
        office.committed().run();
        office.meters().tally().committed.increment();
        return true;
    }
}
