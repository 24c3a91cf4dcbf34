package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import java.sql.SQLException;

/** A way for committed events to be published, whose latency is measured. */
interface Way extends AutoCloseable {

    String name();

    /** Where events for it are emitted. */
    BenchContext context();

    /** From now on publishes are told there. */
    void tell(Arrivals arrivals);

    /** An emitter has committed this event; called from several threads. */
    void committed(Event event) throws SQLException;

    @Override
    void close() throws SQLException;
}
