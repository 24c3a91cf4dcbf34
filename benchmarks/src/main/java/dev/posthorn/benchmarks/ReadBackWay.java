package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * No relay: whoever committed asks for the row by its id on another connection. One round trip is the least that anybody
 * needs who learns of an event from the database.
 */
final class ReadBackWay implements Way {

    private static final String READ = "SELECT " + EventColumns.LIST + " FROM {schema}.outbox WHERE id = ?";

    private final BenchContext context;
    private volatile Arrivals arrivals = (sequence, at) -> {};

    ReadBackWay(BenchContext context) {
        this.context = context;
    }

    @Override
    public String name() {
        return "read back";
    }

    @Override
    public BenchContext context() {
        return context;
    }

    @Override
    public void tell(Arrivals to) {
        arrivals = to;
    }

    @Override
    public void committed(Event event) throws SQLException {
        try (Connection connection = context.pool().getConnection();
                PreparedStatement read = connection.prepareStatement(context.inSchema(READ))) {
            read.setObject(1, event.id());
            try (ResultSet row = read.executeQuery()) {
                row.next();
                Event found = EventColumns.read(row, 0);
                arrivals.published(found.sequence().orElseThrow(), Arrivals.now());
            }
        }
    }

    @Override
    public void close() {}
}
