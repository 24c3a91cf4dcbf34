package dev.posthorn.benchmarks;

import java.sql.SQLException;

/** One question about Posthorn's speed or cost, answered by measuring it beside what it is compared with. */
interface Benchmark {

    /** As it is called on the command line. */
    String name();

    /** One line for {@code bench list}. */
    String summary();

    /** How large it is unless the command line says otherwise. */
    BenchOptions standard();

    /** Measures; everything it creates lies in the context's schema and in databases that close with the context. */
    BenchResult run(BenchContext context) throws SQLException;
}
