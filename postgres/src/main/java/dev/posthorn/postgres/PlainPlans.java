package dev.posthorn.postgres;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Planner settings under which the relay's statements run: no JIT, nothing but index scans and nested loops.
 *
 * <p>Otherwise a plan made while the table was empty, and kept by a server-prepared statement, would scan a table that
 * has long grown to millions; and JIT makes a poll of 0.3 ms one of 230 ms.
 */
final class PlainPlans {

    private static final List<String> OFF =
            List.of("jit", "enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin");

    /** A condition in SQL: whether the settings are in force. */
    static final String IN_FORCE =
            OFF.stream().map(name -> "current_setting('" + name + "') = 'off'").collect(Collectors.joining(" AND "));

    /** A statement: the settings for the rest of the transaction. */
    static final String SET_LOCAL = OFF.stream()
            .map(name -> "set_config('" + name + "', 'off', true)")
            .collect(Collectors.joining(", ", "SELECT ", ""));

    /** The settings as the driver's connection parameter {@code options}. */
    static final String OPTIONS =
            OFF.stream().map(name -> "-c " + name + "=off").collect(Collectors.joining(" "));

    private PlainPlans() {}
}
