package dev.posthorn.demo;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that moves money between random accounts until the goal is reached. */
final class Producer implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Producer.class);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);
    private static final int MOST_ERRORS_IN_A_ROW = 300;
    private static final int LARGEST_AMOUNT = 100;
    private static final int SHORTEST_STALL_MS = 50;
    private static final int LONGEST_STALL_MS = 500;

    private final Workplace workplace;
    private final Mischief mischief;
    private final Random random;

    Producer(Workplace workplace, Mischief mischief, long seed) {
        this.workplace = workplace;
        this.mischief = mischief;
        this.random = new Random(seed);
    }

    @Override
    public void run() {
        int errors = 0;
        while (workplace.goal().reserve(Bank.EVENTS_PER_TRANSFER)) {
            workplace.pace().await();
            boolean committed = false;
            try (Connection connection = workplace.pool().getConnection()) {
                connection.setAutoCommit(false);
                committed = transact(connection);
                errors = 0;
            } catch (SQLException | PosthornException failed) {
                workplace.tally().databaseErrors.increment();
                if (++errors == MOST_ERRORS_IN_A_ROW) {
                    LOG.error("A producer gives up, as nothing worked for a while: {}", failed.toString());
                    workplace.goal().stop();
                }
                LockSupport.parkNanos(PAUSE_AFTER_ERROR.toNanos());
            } finally {
                if (!committed) {
                    workplace.goal().giveBack(Bank.EVENTS_PER_TRANSFER);
                }
            }
        }
    }

    private boolean transact(Connection connection) throws SQLException {
        Bank.Pair accounts = lockTwo(connection);
        long amount = 1L + random.nextInt(LARGEST_AMOUNT);
        if (accounts.debited().balance() < amount) {
            return rollBack(connection);
        }
        if (chance(mischief.savepoints())) {
            Savepoint before = connection.setSavepoint();
            workplace.bank().transfer(connection, accounts, amount);
            connection.rollback(before);
            workplace.tally().savepoints.increment();
            amount = Math.max(1, amount / 2);
        }
        List<UUID> events = workplace.bank().transfer(connection, accounts, amount);
        if (chance(mischief.lateCommits())) {
            stall();
        }
        if (chance(mischief.rollbacks())) {
            return rollBack(connection);
        }
        events.forEach(workplace.lag()::commitSent);
        connection.commit();
        workplace.committed().run();
        workplace.tally().committed.add(events.size());
        return true;
    }

    private Bank.Pair lockTwo(Connection connection) throws SQLException {
        int debited = 1 + random.nextInt(workplace.accounts());
        int credited = 1 + random.nextInt(workplace.accounts() - 1);
        if (credited >= debited) {
            credited++;
        }
        return workplace.bank().lock(connection, "account-" + debited, "account-" + credited);
    }

    private boolean rollBack(Connection connection) throws SQLException {
        connection.rollback();
        workplace.tally().rolledBack.increment();
        return false;
    }

    private void stall() {
        workplace.tally().lateCommits.increment();
        int millis = SHORTEST_STALL_MS + random.nextInt(LONGEST_STALL_MS - SHORTEST_STALL_MS);
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }

    private boolean chance(double share) {
        return share > 0 && random.nextDouble() < share;
    }
}
