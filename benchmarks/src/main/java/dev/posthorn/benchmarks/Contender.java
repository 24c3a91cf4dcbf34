package dev.posthorn.benchmarks;

import java.sql.SQLException;

/** One way to bring every waiting event to the sink. */
interface Contender {

    String name();

    /** How many events it has to deliver, over how many keys. */
    BenchOptions options();

    /** Puts everything back to where all events wait; not measured. */
    void prepare() throws SQLException;

    /** Delivers every event to the sink and makes that durable where the contender does; measured. */
    void deliver(CountingSink sink) throws SQLException;

    /** Checks what must hold afterwards and tidies up; not measured. */
    void finish() throws SQLException;
}
