package dev.posthorn.postgres;

import dev.posthorn.inbox.InboxException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a command's delivery is handled in: nothing at all, for its steps have transactions of their own; but a redriven letter
 * is held in one until its run has ended, so that no two members run it.
 */
public final class CommandDelivery {

    private static final Logger LOG = LoggerFactory.getLogger(CommandDelivery.class);

    private final DataSource database;
    private @Nullable Connection connection;

    CommandDelivery(DataSource database) {
        this.database = database;
    }

    boolean isOpen() {
        return connection != null;
    }

    /** The transaction that holds a letter. */
    Connection open() {
        try {
            Connection opened = database.getConnection();
            connection = opened;
            opened.setAutoCommit(false);
            return opened;
        } catch (SQLException unreachable) {
            throw new InboxException(
                    "The inbox can not be reached: " + DatabaseFailure.reasonOf(unreachable), unreachable);
        }
    }

    void commit() {
        try {
            if (connection != null) {
                connection.commit();
            }
        } catch (SQLException failed) {
            throw new InboxException(
                    "It is not known whether the letter was taken: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    void close() {
        Connection opened = connection;
        connection = null;
        if (opened == null) {
            return;
        }
        try (opened) {
            opened.rollback(); // nothing if it was committed
        } catch (SQLException broken) {
            LOG.debug("A transaction could not be ended; the server does it", broken);
        }
    }
}
