package dev.posthorn.transports.postgreslog;

import dev.posthorn.outbox.Outbox;
import dev.posthorn.relay.RouteStores;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * The database whose log is the bus, as the ports of it.
 *
 * @param dataSource connections for publishing; transactions are begun and committed on them. Give it time-outs for
 *     connecting, or a dead network is noticed late.
 * @param outbox how events get into the log
 * @param routes how they get out of it
 */
public record LogDatabase(DataSource dataSource, Outbox outbox, RouteStores<Connection> routes) {

    /** Without what a data source would tell of itself, which may be a password. */
    @Override
    public String toString() {
        return "LogDatabase";
    }
}
