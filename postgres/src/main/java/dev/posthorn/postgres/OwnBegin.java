package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Keeps the driver from sending a BEGIN, for one text that brings BEGIN and COMMIT itself.
 *
 * <p>Autocommit is on meanwhile, as the driver knows it; whoever wraps the connection does not notice.
 */
final class OwnBegin {

    private final BaseConnection driver;

    private OwnBegin(BaseConnection driver) throws SQLException {
        this.driver = driver;
        driver.setAutoCommit(true);
    }

    /** Only where nothing was executed since the last commit, and where the driver's BEGIN says no more than that. */
    static Optional<OwnBegin> ifNothingHasBegun(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(BaseConnection.class)) {
            return Optional.empty();
        }
        BaseConnection driver = connection.unwrap(BaseConnection.class);
        return driver.getTransactionState() == TransactionState.IDLE && !driver.getAutoCommit() && !driver.isReadOnly()
                ? Optional.of(new OwnBegin(driver))
                : Optional.empty();
    }

    /** Switching it off asks nothing of the server, and leaves a transaction that failed for the caller to roll back. */
    void end() throws SQLException {
        if (!driver.isClosed()) {
            driver.setAutoCommit(false);
        }
    }
}
